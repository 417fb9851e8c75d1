"""Common first names in Latin letters. One standing alone is somebody the user knows."""

FIRST_NAMES = """
aaron|abby|adam|adrian|agnes|aisha|alan|albert|alex|alexandra|alice|alicia|alina|amanda|amelia|amy
|ana|anders|andre|andrea|andreas|andrew|andy|angela|anita|anja|anke|anna|anne|annie|antoine|anton
|antonio|arjun|arthur|astrid|aurora|ayse|barbara|bea|beatriz|ben|benjamin|bernd|bettina|bill
|birgit|bob|brian|bruno|camila|camille|carl|carla|carlos|carmen|carol|caroline|carolina|catherine
|cecilia|celine|charlie|charlotte|chloe|chris|christian|christine|christoph|claire|clara|claudia
|colin|connor|craig|cristina|daisy|dan|daniel|daniela|dave|david|debbie|dennis|deepak|diana|diego
|dieter|dirk|dominik|dominic|donna|doris|duarte|eduardo|eleanor|elena|eli|elias|elisa|ella|ellen
|elsa|emily|emil|emma|eric|erik|erin|esther|ethan|eva|evelyn|fabian|fatima|felix|fernanda
|fernando|finn|fiona|florian|frank|franziska|fred|frida|gabi|gabriel|gabriela|gary|gemma|george
|gerd|gina|giulia|gloria|grace|graham|greg|greta|guillaume|hanna|hannah|hans|harry|heather|heidi
|heike|helen|helena|helga|henrik|henry|holly|hugo|ian|ida|ines|inga|ingrid|irene|irina|isabel
|isabella|isla|ivan|jack|jacob|jake|jakob|james|jamie|jan|jana|jane|janet|jasmine|jason|javier|jean
|jeff|jenny|jens|jess|jessica|jill|jim|joan|joana|joanna|joao|joe|joel|johanna|john|jonas|jonathan
|jorge|jose|josh|joshua|juan|judith|jules|julia|julian|julie|juliette|jurgen|kai|karen|karin|karl
|kate|katharina|katie|katja|katrin|keith|kelly|ken|kerstin|kevin|kim|klara|klaus|lara|lars|laura
|lauren|lea|lena|leo|leon|leonie|liam|lily|linda|lisa|liz|lola|louis|louise|luca|lucas|lucia|lucy
|luis|luisa|lukas|luke|lydia|maddie|magda|manon|manuel|marc|marco|marcos|margaret|maria|mariana|marie
|marina|mario|marion|mark|marta|martha|martin|martina|mary|mateo|mathieu|matt|matteo|matthew|max
|maya|megan|meg|mehmet|melanie|mia|michael|michelle|miguel|mika|mike|mila|miriam|mohammed|molly
|monica|monika|moritz|nadia|nadine|nancy|natalie|nathan|neha|nick|nicola|nicolas|nicole|nina|noah
|nora|olga|oliver|olivia|omar|oscar|owen|pablo|paola|patricia|patrick|paul|paula|paulo|pedro|peter
|petra|phil|philip|philippe|pia|pierre|priya|rachel|rafael|rahul|raj|ralf|raquel|raul|rebecca|renata
|ricardo|richard|rita|rob|robert|roberto|robin|rohan|rosa|rosie|ruby|ruth|ryan|sabine|sally|sam
|samantha|samir|samuel|sandra|sara|sarah|sean|sebastian|sergio|silke|silvia|simon|simone|sofia|sonia
|sonja|sophia|sophie|stefan|stefanie|stella|stephanie|steve|sue|susan|susanne|svenja|sylvie|tanja
|tania|tara|ted|teresa|theo|thomas|tiago|tim|tina|tobias|toby|tom|tony|torsten|ulrike|ursula|ute
|valentina|valerie|vanessa|vera|veronica|victor|viktor|vincent|walter|wendy|werner|wolfgang
|yasmin|yusuf|yuki|zoe
"""
