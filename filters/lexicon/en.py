"""English."""

from .model import Cue, Lexicon

LEXICON = Lexicon(
    code="en",
    imperatives_lead=True,
    stop="""
    a an the and or but if of to in on at by for with from as is are was were be been being am
    do does did done doing have has had having will would shall should can could may might
    must not no nor so than then that this these those there here it its he she they them his
    her hers their theirs him me my mine myself we us our ours you your yours what which who
    whom whose when where why how what's who's where's when's how's that's it's i'm i've i'd
    i'll we're we've we'd we'll you're don't doesn't didn't isn't aren't wasn't can't won't
    wouldn't couldn't shouldn't about again just only also too very much many some any all
    both each few more most other such own same up down out off over under into onto through
    during before after between against please ok okay yes yeah yep yup well now really still
    already yet ever never always get got let lets let's go going tell say said know remind
    thing things stuff one ones want need like thanks thank hi hello hey
    """,
    cues={
        Cue.SELF: """
        i|me|my|myself|we|us|our|ours|ourselves|i'm|i've|i'd|i'll|im|ive|we're|we've|we'd|we'll
        |mine is|mine are|of mine|is mine|are mine|was mine|than mine|like mine|to mine|with mine
        |and mine|or mine|the usual|as usual|my usual|same as|same again|like before|as before
        |last time|the other day|as discussed|as agreed|we discussed|told you|you told|you said
        |you mentioned|you suggested|you recommended|you wrote|you remember|do you remember
        |remember|forget|forget that|forget about|don't forget|from now on|going forward|in future
        |by default use|always use|never use|stop using|stop calling|call me|note that|correction
        |back home|at home|from home|to home|home address|the other one|that thing
        """,
        Cue.KIN: """
        mum|mum's|mom|mom's|dad|dad's|grandma|grandma's|granny|grandpa|granddad|nan's|nana|auntie
        |aunt|uncle|hubby|the wife|the kids|the kid|the boys|the girls|the missus|the in-laws
        """,
        Cue.NEUTRAL: """
        elizabeth i|henry i|charles i|james i|william i|george i|louis i|napoleon i|pedro i
        |isabella i|philip i|francis i|frederick i|wilhelm i|friedrich i|nicholas i|catherine i
        |peter i|alexander i|richard i|edward i|leopold i|otto i|rudolf i|ferdinand i|maximilian i
        |theodore i|john i|paul i|mary i|darius i|xerxes i|ptolemy i|ramesses i|seti i
        |juan carlos i|umberto i|franz i|selim i|mehmed i|constantine i|justinian i
        |victor emmanuel i|leo i|world war i|war i|act i|part i|phase i|type i|chapter i|book i
        |volume i|class i|article i|title i|grade i|stage i|collagen i|schedule i|factor i
        |photosystem i|apollo i|our solar system|our galaxy|our planet|our sun|our moon
        |our species|our atmosphere|the us|the u s|us president|us dollar|us dollars|us states
        |us constitution|us senate|us congress|us open|us army|us navy|is it true|is there
        |are there|there is|there are|was there|were there|does it take|did it take|would it take
        |what does it mean|what is it called|is it possible|is it illegal|is it legal|is it called
        |what time is it|what day is it|it is said|my grammar|my spelling|my english|this for me
        |it rains|it snows|will it rain|will it snow|does it rain|is it raining|is it snowing
        |reach us|reaches us|forget me not|forget-me-not|me too movement|why we sleep|the aunt of
        |the uncle of|uncle sam|last of us|home office secretary|uncle tom's cabin
        """,
        Cue.FRAME: """
        tell me|give me|show me|can you|could you|would you|will you|can you please
        |could you please|can you tell me|could you tell me|can you give me|could you give me
        |can you explain|can you show me|could you explain to me|explain to me|would you mind
        |do you know|let me know|teach me|help me|help me to|help me understand|please tell me
        |i'd like to know|i would like to know|i want to know|i wanted to know|i was wondering
        |i'm wondering|i wonder|i'm curious|just curious|i have a question|quick question
        |remind me|enlighten me|walk me through|i need you to|i want you to|i'd like you to
        |in case|read me|pass me|get me|fetch me|find me|if i may ask|may i ask|mind telling me
        |any idea|anyone know|i don't understand|i do not understand|i never understood
        """,
        Cue.POLITE: """
        please|pls|plz|and|then|just|now|also|to|hey|so|can|you|could|would|will|me|help|quickly
        |first|next|but|kindly|ok|okay|well|simply
        """,
        Cue.HOWTO: """
        how do i|how can i|how do you|how can you|how would i|how would you|how should one
        |how do we|how does one|how to|what happens if i|what happens if you|what happens when you
        |what do you call|how are you supposed to|why do we|why can't we|why do i get
        |why am i getting|what do we call|how do we know|how would one|how can we|why can we
        |when do we|do we know|when do you use|when should you use|when should i use
        |why would you use|why would i use
        """,
        Cue.PRIVATE: """
        mother|father|brother|sister|daughter|son|wife|husband|cousin|nephew|niece|grandson
        |granddaughter|grandmother|grandfather|girlfriend|boyfriend|fiance|fiancee|flatmate
        |roommate|housemate|in-laws|stepdad|stepmum|twins|toddler|babysitter|nanny|neighbour*
        |neighbor*|landlord*|landlady|tenant|colleague*|coworker*|co-worker*|boss|manager
        |supervisor|client|clients|friend|friends|mate|buddy|teacher|coach|tutor|dentist|doctor's
        |gp|vet|therapist|physio|surgeon|midwife|plumber|electrician|builder|builders|handyman
        |mechanic|accountant|lawyer|solicitor|hairdresser|barber|cleaner|gardener|agent|broker
        |advisor|adviser|caterer|florist|guy|bloke|lady|home|house|flat|apartment|condo|kitchen
        |bathroom|bedroom|garage|basement|attic|loft|garden|allotment|shed|cottage|cabin|balcony
        |driveway|office|desk|studio|workshop|gym|nursery|daycare|kindergarten|class|lesson
        |lessons|practice|rehearsal|recital|gig|club|choir|band|team|meeting|meetings|appointment
        |appointments|calendar|schedule|agenda|deadline*|booking|bookings|reservation*|itinerary
        |trip|holiday|vacation|flight home|wedding|birthday|anniversary|party|barbecue|bbq|dinner
        |lunch|brunch|picnic|reunion|baby shower|funeral|christening|interview|presentation|exam
        |exams|homework|assignment|thesis|essay|dissertation|project|sprint|standup|ticket|tickets
        |backlog|roadmap|repo|codebase|branch|invoice|invoices|receipt|quote|contract|lease
        |mortgage|rent|deposit|salary|payslip|pension|budget|savings|bill|bills|insurance
        |policy number|premium|warranty|loan|account|password|passcode|pin|wifi|login|username
        |access code|gate code|door code|spare key|keys|parking|car|van|bike|scooter|motorbike
        |boat|boiler|dishwasher|washing machine|fridge|oven|printer|laptop|router|thermostat
        |alarm code|dog|cat|puppy|kitten|cat's|dog's|prescription|medication|meds|tablets|dosage
        |allerg*|inhaler|blood test|test results|check-up|checkup|surgery date|diet|workout
        |training plan|playlist|shopping list|the list|to-do list|todo list|wishlist|guest list
        |guests|leftover*|pantry|freezer|suitcase|package|parcel|delivery|order|subscription
        |membership|reservation number|serial number|licence plate|license plate|registration
        |the recipe|the draft|the plan|the plans|the proposal|the report|the document|the file
        |the folder|the notes|the email|the message|the letter|the book|the movie|the show
        |the restaurant|the hotel|the place|the venue|the gift|the present|the painter|the job
        |the company|the customer|the school|the move|the renovation|the new|the old|the spare
        |the second option|the first option|the third option|the option|option a|option b|said
        |promised|mentioned|recommended|borrowed|lent|owe|owes|owed|booked|ordered|agreed|decided
        |paid|pay|owner of|say about|think of|think about|what did .. say|what did .. think|doctor
        |doctors|surgery|clinic|portal|staging|production|prod|cron job|backend|frontend|this app
        |this project|this repo|this code base|this house|here|logo|brand|bring|bringing|brings
        |quarter|candidate|serviced|come to|coming|invited|attend|attending|pick up|drop off|mr
        |mrs|ms|dr
        """,
        Cue.HINT: """
        remind me|still|again|yet|already|anymore|any more|at last|finally|usually|normally
        |as well|this one|left over|left to|in the end|actually need|wait
        """,
        Cue.WHEN: """
        today|tonight|tomorrow|yesterday|this morning|this afternoon|this evening|this week
        |this weekend|this month|next week|next weekend|next month|next year|next time|next monday
        |next tuesday|next wednesday|next thursday|next friday|next saturday|next sunday
        |last night|last week|last weekend|last month|last summer|last winter|last spring
        |last autumn|last christmas|last monday|last friday|on monday|on tuesday|on wednesday
        |on thursday|on friday|on saturday|on sunday|monday|tuesday|wednesday|thursday|friday
        |saturday|sunday|the weekend|later|soon|right now|just now|at the moment|currently|tmrw
        |tmr|tonite
        """,
        Cue.GREET: """
        hi|hii|hiya|hello|helo|hey|heya|heyy|yo|sup|what's up|whats up|wassup|howdy|greetings
        |good morning|good afternoon|good evening|good night|good day|gm|gn|morning|evening
        |afternoon|night night|nighty night|hi there|hello there|hey there|hi again|hello again
        |how are you|how are you doing|how are you today|how's it going|hows it going
        |how is it going|how do you do|how have you been|nice to meet you|long time no see
        |are you there|you there|anyone there|anybody there|thanks|thank you|thank u|thx|ty|tysm
        |thnx|tks|cheers|ta|much appreciated|appreciate it|appreciated|i appreciate it
        |i appreciate that|bye|bye bye|goodbye|see you|see ya|cya|see you later|see you tomorrow
        |see you soon|talk later|talk to you later|ttyl|talk tomorrow|talk to you tomorrow
        |talk soon|later|take care|have a nice day|have a good day|have a great day
        |have a good one|have a good weekend|have a nice evening|have a good night|sleep well
        |sweet dreams|good luck|congrats|congratulations|ok|okay|okey|k|kk|okie|oki|okay then
        |alright|all right|alrighty|right|got it|gotcha|noted|understood|i see|i get it
        |i understand|makes sense|that makes sense|it makes sense|fair enough|sounds good
        |sounds great|sounds fine|sounds perfect|sounds like a plan|good to know
        |that's good to know|that helps|that helped|that worked|it worked|it works|that works
        |that did it|did the trick|i appreciate your|works for me|works now|that's all|that is all
        |that's it|that will be all|that'll be all|nothing else|no worries|no problem|np
        |never mind|nevermind|nvm|you're welcome|youre welcome|my pleasure|welcome|cool|nice
        |nice one|great|awesome|perfect|excellent|amazing|wonderful|brilliant|fantastic|lovely
        |superb|sweet|neat|good|good job|great job|nice job|well done|good work|great work
        |great stuff|good stuff|good one|well played|impressive|love it|i love it|i like it
        |love that|like it|wow|whoa|oh|ah|aha|ooh|oops|haha|hahaha|hahahaha|hehe|hihi|lol|lmao
        |rofl|xd|hm|hmm|hmmm|mhm|huh|uh|um|yay|woohoo|hooray|bravo|sorry|my bad|sorry about that
        |no thanks|no thank you|no|nope|nah|that was helpful|very helpful|so helpful|helpful
        |that's helpful|you made my day|you just made my day|made my day|you're the best
        |you are the best|you rock|you're a star|you're a legend|you're a lifesaver|lifesaver
        |legend|test|testing|ping|exactly|indeed|true|correct|of course|interesting|will do|i will
        |i'll do that|i'll try that|i'll try it|i'll do it|all good|all set|i'm good|we're good
        |all done|done|roger|roger that|copy that|10 4|sure thing|enjoy your day|happy new year
        |merry christmas|happy holidays
        """,
        Cue.PRAISE: """
        you|you've|you're|your|are|were|been|was|is|that|that's|this|it|it's|a|an|the|so|very
        |really|just|much|many|lot|lots|bunch|million|for|of|to|and|i|me|my|all|everything|help
        |helping|helped|great|big|huge|good|nice|super|such|explanation|answer|advice|work|job
        |effort|time|patience|quick|fast|reply|again|now|then|there|buddy|mate|man|dude|bro|friend
        |everyone|folks|team|pal|day|today|always|too|as|well|absolutely|totally|truly|info
        |information|tip|tips|yes|wonderful|amazing|useful|clear|saved|lifesaver|assistant|bot
        |chatgpt|claude|gpt|computer|ai|sir|madam|kind|kindly
        """,
        Cue.AFFIRM: """
        yes|yeah|yep|yup|ya|yea|sure|sure thing|please|please do|yes please|go ahead|go for it
        |do it|do that|do so|ok|okay|okay do it|ok do it|sounds good|absolutely|definitely
        |of course|why not|proceed|continue|carry on|go on|confirm|confirmed|approved|approve|lgtm
        |ship it|let's go|let's do it|make it so|fine|fine by me|works for me|perfect|great
        |yes go ahead|yes do it|alright|k|y|all of them|both|that one|the first one|the second one
        """,
        Cue.OPENER: """
        what|what's|whats|who|who's|whos|whom|whose|when|when's|where|where's|why|how|how's|which
        |is|are|was|were|does|do|did|can|could|has|have|will|would|should|explain|define|describe
        |list|name|tell me|give me|compare|summarise|summarize|outline|definition|meaning
        |difference|what're|what does|can a|can an|clarify|state|translate|spell|isn't|aren't
        |doesn't|don't|eli5
        """,
        Cue.STRONG: """
        what is a|what is an|what's a|what's an|what are the .. of|what does .. mean
        |what do .. mean|what .. stand for|meaning of|definition of|define|etymology|origin of
        |what is meant by|difference between|difference .. between|differences between|who wrote
        |who painted|who composed|who invented|who discovered|who founded|who directed
        |who designed the|who sang|who sings|who played .. in|who starred|who voiced|who proved
        |who won the .. in|who coined|who assassinated|who succeeded|who ruled|who conquered
        |who formulated|who developed|which century|what century|when was .. born|when did .. die
        |when did .. begin|when did .. start|when did .. end|when did .. fall|when did .. happen
        |when did .. open|when did .. land|when was .. founded|when was .. built
        |when was .. invented|when was .. discovered|when was .. signed|capital of|capital city
        |population of|author of|inventor of|symbol for|symbol of|formula for|formula of
        |boiling point|melting point|freezing point|atomic number|chemical formula|plural of
        |past tense|past participle|synonym|synonyms|antonym|opposite of|how many .. does a
        |how many .. does an|how many .. do .. have|how many .. are there in|how many .. are in
        |how many .. in a|how does a|how does an|how do|how does .. work|how do .. work
        |what a .. is|what an .. is|how is .. made|how are .. made|how is .. calculated
        |why is the sky|why do|why don't|why does a|why are|why is it called|what causes
        |what caused|what are .. used for|what is .. used for|what kind of .. is a|is a .. a
        |is an .. a|are .. a|can a|can an|is it true that|largest|smallest|biggest|longest
        |shortest|highest|tallest|deepest|oldest|fastest|heaviest|hottest|coldest|the first person
        |the first woman|the first man|first country|laws of|law of|theorem|theorems
        |time complexity|big o|pros and cons of|example of a|examples of|another word for
        |battle of|treaty of|siege of|war of|history of|speed of sound|human body|how do you say
        |how is .. pronounced|how do you pronounce|how do you spell|how to pronounce
        |correct spelling|named after|famous for|known for|what language|which language
        |what currency|which planet|which country|which countries|which element|which river
        |which ocean|which animal|which animals|what animal|what type of animal|which continent
        |which metal|which gas|which organ|which bone|which king|which queen|which composer
        |which philosopher|which scientist|which president|which word|which letter
        """,
        Cue.GENERAL: """
        which year|what year was|what year did|in what year|in which year|how tall is|how deep is
        |how far is .. from|how high is|how fast does|how fast is|elizabeth i|henry i|charles i
        |james i|william i|george i|louis i|napoleon i|frederick i|wilhelm i|nicholas i
        |catherine i|peter i|alexander i|richard i|edward i|francis i|philip i|century|centuries
        |ancient|medieval|bc|bce|ad|war|wars|battle|treaty|empire|emperor|dynasty|revolution|king
        |queen|pope|president|parliament|constitution|federal|republic|kingdom|monarch*|reign*
        |throne|pharaoh|civilisation|civilization|renaissance|enlightenment|colony|independence
        |census|continent|country|countries|capital|island|ocean|sea|river|lake|mountain|mountains
        |volcano*|desert|equator|planet|planets|moon|moons|mercury|venus|mars|jupiter|saturn
        |uranus|neptune|pluto|sun|star|stars|galaxy|universe|solar|orbit*|gravity|gravit*
        |light year|light years|speed of light|atom|atoms|atomic|molecul*|element|elements
        |chemical*|chemistry|acid|acids|oxygen|hydrogen|carbon|nitrogen|helium|iron|gold|silver
        |copper|metal|metals|mineral*|physics|quantum|energy|entropy|thermodynamic*|photosynthesis
        |cell|cells|dna|rna|gene|genes|protein*|enzyme*|bacteria|virus|viruses|vaccine*
        |antibiotic*|vitamin*|species|mammal*|reptile*|insect*|bird|birds|fish|whale*|octopus*
        |spider*|dinosaur*|animal|animals|plant|plants|botanical*|botany|biolog*|zoolog*|evolution
        |organ|organs|heart|lung|lungs|liver|kidney|kidneys|brain|bone|bones|muscle*|blood type
        |blood cells|human body|average|math*|algebra|geometr*|prime number|prime numbers|integer*
        |equation*|triangle|square root|logarithm|derivative|integral|probability|statistic*
        |median|variance|pi|novel|poem|poet|poetry|play|author|novelist|writer|painter|painting
        |sculptor|composer|symphony|opera|lyrics|song|film|director|actor|actress|philosoph*
        |religion*|bible|quran|latin|greek|roman|romans|greeks|grammar|grammatical*|noun|verb
        |adjective|pronoun|preposition|idiom|phrase|word|acronym|abbreviation|plural|subjunctive
        |language|languages|economics|inflation|gdp|recession|compound interest|mutual fund|bond
        |bonds|etf|etfs|index fund|odds|supply and demand|monopoly|law|laws|legal
        |illegal|statute|jurisdiction|copyright|patent|trademark|nobel|olympic|olympics
        |world cup|theory|principle|effect|phenomenon|concept|algorithm*|compiler|function
        |recursion|recursive|pointer|class method|inheritance|polymorphism|hash table|hash map
        |linked list|data structure|binary|thread|threads|deadlock|database*|transaction|index
        |protocol|encryption|blockchain|machine learning|neural network*|transformer*|gradient
        |cache|compile*|runtime|exception|error code|status code|framework|open source
        |operating system|kernel|server|causes|cause|consequences|europe*|asia*|africa*|america*
        |australia*|antarctica|world|earth|britain|british|england|english|scotland|ireland|france
        |french|germany|german|italy|italian|spain|spanish|portugal|portuguese|greece|russia*
        |ukraine|poland|sweden|swedish|norway|denmark|finland|switzerland|austria|hungary|turkey
        |egypt|egyptian|china|chinese|japan|japanese|korea|korean|india|indian|pakistan|iran|iraq
        |israel|brazil|argentina|chile|peru|mexico|mexican|canada|canadian|usa|united states
        |united kingdom|uk|eu|european union|un|united nations|nato|new zealand|south africa
        |nigeria|kenya|ethiopia|morocco|vietnam|thailand|indonesia|philippines|arctic|pacific
        |atlantic|alps|himalaya*|amazon river|nile|degrees|temperature|pressure|voltage
        |altitude|radius|density|calories|saturated|fossil*|geolog*|tectonic|earthquake*
        |tsunami|hurricane|tornado|climate|greenhouse|ozone|sphere|psycholog*|sociolog*
        |anthropolog*|etiquette|tradition|origin|invented|discovered|mythology|myth|goddess|norse
        |zeus|buddhis*|islam*|christian*|hindu*|jewish|wine|cheese|grape|fermentation|yeast
        |baking soda|chess|football rules|offside|tennis|cricket|basketball|marathon length
        |alphabet|morse|roman numeral*|leap year|time zone|currency|flag
        """,
        Cue.ADVICE: """
        worth it|worth|should i|should we|recommend*|suggest*|advice|advise|which is better|better
        |best|good idea|ideas|idea|tips|what do you think|your opinion|thoughts|feedback|pick
        |choose|decide|help me|how to deal|how do i deal|how do i tell|how can i improve
        |safe for me|suitable|what to|where to|how to get better|opinion|gift|gifts|present for
        |outfit|what would you|would you|gain|lose weight|weight loss|for beginners|brainstorm
        |alternatives|alternative to|favourites|favorites
        """,
        Cue.TASK: """
        write|draft|compose|plan|design|create|make|build|generate|prepare|put together
        |come up|invent|imagine|roleplay|role-play|let's|pretend|act as|be my|tell a|tell me a
        |rewrite|rephrase|reword|improve|polish|review|critique|refactor|optimise|optimize|fix
        |debug|implement|add|finish|complete|continue|expand|shorten|shorter|longer|simplify
        |organise|organize|arrange|schedule|book|order|buy|find|reserve|cook|edit|personalise
        |personalize|customise|customize|help|give honest|rate|judge|evaluate|assess|prioritise
        |prioritize|turn|outline|script|sketch|prep|set up|update|change|remove|delete|send|email
        |text|reply|respond|answer
        """,
        Cue.TRANSFORM: """
        translate|convert|uppercase|lowercase|upper case|lower case|capitalise|capitalize
        |title case|proofread|proof-read|spellcheck|spell-check|spell check|correct the
        |fix the spelling|fix the grammar|fix the typos|fix the punctuation|fix grammar
        |fix spelling|fix typos|correct spelling|correct grammar|extract|pull out|pull the .. out
        |pull .. out of|list the .. in this|count the|count how many|how many words
        |how many characters|how many letters|sort|alphabetise|alphabetize|reverse|deduplicate
        |dedupe|remove duplicates|remove the|strip|replace|format|reformat|prettify|pretty-print
        |pretty print|minify|indent|encode|decode|escape|unescape|base64|urlencode|summarise
        |summarize|sum up|tldr|tl;dr|condense|transcribe|transliterate|turn this into json
        |turn this into a table|turn this into csv|turn this into yaml|turn this into a list
        |turn this into bullet|turn .. into json|turn .. into a table|turn .. into csv
        |put .. into a table|put .. in a table|make .. uppercase|make .. lowercase|parse|classify
        |what language is|identify the language|detect the language|anonymise|anonymize|redact
        |change .. to past tense|change .. to the past|put .. in the past tense|into the passive
        |romanise|romanize|spell out
        """,
        Cue.CALC: """
        calculate|compute|how much is|how many is|what is the sum|sum of|square root|divided by
        |times|plus|minus|multiplied by|percent of|percent|% of|to the power|squared|cubed|convert
        |in celsius|in fahrenheit|in binary|in hex|in hexadecimal|days after|days before
        |days between|days until|days till|weeks after|weeks from|days from|months between
        |hours between|minutes between|years between|day of the week|what weekday|which weekday
        |what date|unix timestamp|average of|mean of|median of|how many|solve|factorial|modulo|mod
        |split .. ways|tip on|vat on|interest on
        """,
        Cue.UNIT: """
        mile|miles|kilometre*|kilometer*|metre*|meter*|centimetre*|centimeter*|inch|inches|foot
        |feet|yard|yards|pound|pounds|ounce*|gram|grams|kilogram*|kilo|kilos|stone|litre*|liter*
        |gallon*|pint|pints|cup|cups|tablespoon*|teaspoon*|degree|degrees|acre|acres|hectare*|mph
        |knots|byte|bytes|bit|bits|megabyte*|gigabyte*|second|seconds|minute|minutes|hour|hours
        |day|days|week|weeks|month|months|dollar|dollars|euro|euros|yen|rupee*|peso|pesos|franc
        |francs|yuan|binary|hexadecimal|decimal|octal|radians
        """,
        Cue.LIVE: """
        price of|price|stock price|share price|stock|exchange rate|conversion rate|rate of the
        |trading at|market cap|score|final score|who won|has .. won|who is winning|who's winning
        |did .. win|who scored|standings|fixtures|kick off|kick-off|flight status|flight|on time
        |delayed|departures|arrivals|traffic|roadworks|running normally|service status
        |train status|outage|is .. down|down right now|headlines|news|newest stable|latest stable
        |latest version|newest version|opening hours|is .. open|open today|open now|open on
        |showing|playing tonight|on tonight|strikes|what time is it in|what's the time in
        |current time|what time is it|today's date|what day is it|what's the date|sunrise|sunset
        |tide|tides|pollen|air quality|uv index|earthquake today|trending|results of
        |election results|lottery numbers|gold price|oil price|petrol price*|gas price*
        |mortgage rates|interest rate|release date of
        """,
        Cue.WEATHER: """
        weather|forecast|rain|raining|snow|snowing|sunny|windy|how hot|how cold|how warm
        |temperature in|umbrella|humidity|storm|frost
        """,
        Cue.COMMAND: """
        run|rerun|re-run|execute|open|list|show|print|display|cat|tail|head|grep|search|find
        |delete|remove|rename|move|copy|mkdir|touch|read|restart|start|stop|kill|install|uninstall
        |upgrade|build|compile|lint|format|deploy|commit|push|pull|checkout|check out|merge|rebase
        |clone|stage|revert|undo|redo|try|do|ping|download|fetch|load|count|check|launch|retry
        |stash|diff|close|unzip|zip
        """,
        Cue.ARTEFACT: """
        file|files|folder|folders|directory|directories|test|tests|test suite|linter|lint|build
        |server|script|migrations|migration|command|repo|repository|branch|branches|commits|commit
        |terminal|shell|process|processes|port|ports|logs|log|container|containers|dependencies
        |package|packages|line|lines|function|url|page title|page|link|website|disk space
        |disk usage|memory usage|cpu usage|environment variables|working directory|git status
        |git diff|git log|changes
        """,
        Cue.TIMER: """
        timer|alarm|wake me at|countdown|reminder in
        """,
        Cue.DEVICE: """
        start a stopwatch|stopwatch|turn on the|turn off the|turn the .. on|turn the .. off
        |switch on|switch off|dim the|lights on|lights off|volume up|volume down|volume to
        |turn up the|turn down the|turn it up|turn it down|mute|unmute|pause|resume|skip
        |next track|next song|previous track|lock the|unlock the|set the thermostat
        |set the temperature|cancel the timer|cancel the alarm|stop the timer|snooze
        |to the shopping list|to the grocery list|take a screenshot|roll a die|roll a dice
        |roll two dice|roll the dice|flip a coin|toss a coin|a random number|a random password
        """,
        Cue.WEB: """
        search the web|search the internet|search online|google|look up|look online|web search
        |browse to|go to http|open http|open https|visit http|fetch http|check the website
        |find online
        """,
        Cue.ANAPHORA: """
        it|he|she|they|them|him|her|his|hers|its|it's|he's|she's|they're|their|theirs|that|this
        |these|those|there|then|one|ones|other|others|another|it'll|that's|there's|here|same
        |first one|second one|latter|former|the first|the second|the third|the last|number 1
        |number 2|number 3|number 4|number one|number two|number three|option 1|option 2|option a
        |option b|either|neither|both|instead|else|so
        """,
        Cue.ELLIPSIS: """
        and|or|but|so|what about|how about|why not|why|and then|also
        |then|ok and|the other|other than that|anything else|what else|who else|where else|else
        |more|which one|which ones|which of|since when|how so|how come|how much|how many|how long
        |same|not that|no|wait|instead|go on|shorter|longer|again|and what about|the week before
        |the day before|the year before|the month before|the one|like what|such as|for example
        """,
        Cue.ARTICLE: """
        the|my|our
        """,
    },
)
