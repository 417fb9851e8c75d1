"""Hindi, in Devanagari and as commonly romanised."""

from .model import Cue, Lexicon

LEXICON = Lexicon(
    code="hi",
    stop="""
    का की के को से में पर ने है हैं था थी थे हो हुआ हुई हूँ होता होती होते और या लेकिन कि जो
    तो भी ही न नहीं मत एक यह वह ये वे इस उस इन उन इसे उसे क्या कौन कब कहाँ कहां क्यों कैसे कितना
    कितनी कितने किस किसने किसका कौन-सा सा सी मैं मुझे मेरा मेरी मेरे हम हमें हमारा हमारी हमारे
    तुम आप आपका अपना अपनी अपने लिए साथ बाद पहले अब फिर कर करो करना करें दो दे दिया गया गई गए
    रहा रही रहे वाला वाली वाले कुछ सब बहुत ज़्यादा कम अगर जब तब तक बताओ बताइए जी हाँ हां ka ki
    ke ko se mein par ne hai hain tha thi the ho hua hui hoon hota hoti aur ya lekin jo to bhi
    hi na nahi nahin ek yeh ye woh wo is us kya kaun kab kahan kyun kyon kaise kitna kitni
    kitne kis kisne mujhe mera meri mere hum hamara hamari hamare tum aap apna apni apne liye
    saath baad pehle ab phir kar karo karna do de diya gaya gayi raha rahi wala wali kuch sab
    bahut batao bataiye ji haan
    """,
    cues={
        Cue.SELF: """
        मैं|मैंने|मुझे|मुझको|मुझसे|मेरा|मेरी|मेरे|हम|हमने|हमें|हमको|हमारा|हमारी|हमारे|अपना|अपनी
        |अपने|पिछली बार|पिछले बार|हमेशा की तरह|हमेशा वाला|वही वाला|वही|जैसा कहा था|बताया था|कहा था
        |बोला था|तुमने|आपने|याद है|याद रखो|याद रखना|याद दिलाओ|भूल जाओ|भूल|अब से|आगे से|घर पर
        |main ne|maine|mujhe|mujhko|mera|meri|mere|hum|humne|hame|hamein|hamara|hamari|hamare|apna
        |apni|apne|pichli baar|hamesha ki tarah|wahi|wahi wala|bataya tha|kaha tha|bola tha|tumne
        |aapne|yaad hai|yaad rakho|bhool jao|bhul jao|ab se|ghar pe
        """,
        Cue.KIN: """
        मम्मी|पापा|माँ|मां|दादी|दादा|नानी|नाना|बुआ|चाचा|चाची|मामा|मामी|मौसी|आंटी|अंकल|भैया|दीदी
        |बच्चे|बच्चों|mummy|papa|maa|dadi|nani|chacha|mama|mausi|bhaiya|didi|bachche
        """,
        Cue.NEUTRAL: """
        हमारा सौरमंडल|हमारे सौरमंडल|हमारी आकाशगंगा|अपने आप|apne aap|राष्ट्रपिता|भारत माता
        """,
        Cue.FRAME: """
        मुझे बताओ|मुझे बताइए|मुझे समझाओ|मुझे समझाइए|मुझे दो|मुझे दिखाओ|क्या आप बता सकते
        |क्या तुम बता सकते|मैं जानना चाहता|मैं जानना चाहती|मेरा सवाल है|mujhe batao|mujhe bataiye
        |mujhe samjhao|kya aap bata sakte|kya tum bata sakte
        """,
        Cue.HOWTO: """
        कैसे करें|कैसे करते|कैसे बनता|मैं कैसे|main kaise|kaise karte|kaise kare
        """,
        Cue.PRIVATE: """
        भाई|बहन|पत्नी|पति|बेटा|बेटी|दोस्त|पड़ोसी|सहकर्मी|बॉस|मैनेजर|मकान मालिक|ग्राहक|टीचर|शिक्षक|कोच
        |डॉक्टर|डेंटिस्ट|वकील|घर|फ्लैट|मकान|रसोई|दफ़्तर|दफ्तर|ऑफिस|ऑफ़िस|स्कूल|मीटिंग|अपॉइंटमेंट|बुकिंग
        |यात्रा|छुट्टी|शादी|जन्मदिन|सालगिरह|पार्टी|परीक्षा|होमवर्क|प्रोजेक्ट|बिल|किराया|वेतन|सैलरी|पेंशन
        |बजट|बचत|बीमा|लोन|खाता|पासवर्ड|पिन|चाबी|गाड़ी|कार|बाइक|कुत्ता|बिल्ली|दवा|दवाई|एलर्जी|डाइट|सूची
        |लिस्ट|ऑर्डर|पार्सल|जी का|जी की|जी के|bhai|behen|patni|pati|beta|beti
        |dost|padosi|boss|ghar|office|school|meeting|appointment|booking|shaadi|shadi|birthday
        |party|exam|project|bill|kiraya|salary|budget|bima|loan|password|chabi|gaadi|gadi|car|bike
        |kutta|billi|dawa|dawai|allergy|list|order
        """,
        Cue.HINT: """
        फिर से|अभी भी|अब भी|दोबारा|आखिर|phir se|abhi bhi|dobara
        """,
        Cue.WHEN: """
        आज|कल|परसों|आज रात|इस हफ़्ते|इस हफ्ते|अगले हफ़्ते|अगले हफ्ते|पिछले हफ़्ते|पिछले हफ्ते|अगले महीने
        |पिछले महीने|अगले साल|पिछले साल|सोमवार|मंगलवार|बुधवार|गुरुवार|शुक्रवार|शनिवार|रविवार|अभी
        |aaj|kal|parso|aaj raat|agle hafte|pichle hafte|abhi
        """,
        Cue.GREET: """
        नमस्ते|नमस्कार|प्रणाम|हैलो|हेलो|हाय|सुप्रभात|शुभ प्रभात|शुभ संध्या|शुभ रात्रि|शुभरात्रि
        |गुड मॉर्निंग|गुड नाइट|कैसे हो|कैसे हैं|कैसी हो|आप कैसे हैं|क्या हाल है|क्या हाल|धन्यवाद
        |बहुत धन्यवाद|बहुत बहुत धन्यवाद|शुक्रिया|बहुत शुक्रिया|बहुत बहुत शुक्रिया|आभार|थैंक्यू|थैंक यू
        |अलविदा|फिर मिलेंगे|कल मिलते हैं|बाय|ठीक है|ठीक|अच्छा|अच्छी बात है|समझ गया|समझ गई|समझा
        |समझ आ गया|हाँ|हां|जी|जी हाँ|हाँ जी|नहीं|सही|सही है|बिल्कुल|बढ़िया|बहुत बढ़िया|बहुत अच्छा
        |बहुत अच्छे|वाह|शानदार|ज़बरदस्त|जबरदस्त|कमाल|मस्त|परफेक्ट|ओके|हाहा|माफ़ करना|माफ करना|सॉरी
        |कोई बात नहीं|हो गया|बस|बधाई|राम राम|सत श्री अकाल|namaste|namaskar|pranam|suprabhat
        |kaise ho|kaisi ho|aap kaise hain|kya haal hai|kya haal|dhanyavaad|dhanyawad|shukriya
        |bahut shukriya|bahut dhanyavaad|alvida|phir milenge|theek hai|thik hai|theek|thik|accha
        |acha|achha|samajh gaya|samajh gayi|haan|haan ji|ji|nahi|sahi|sahi hai|bilkul|badhiya
        |bahut badhiya|bahut accha|wah|waah|shandar|kamaal|mast|ok|koi baat nahi|ho gaya|bas
        """,
        Cue.PRAISE: """
        आपका|आपकी|आप|तुम्हारा|मदद|के|लिए|का|की|बहुत|है|हो|ने|जी|भाई|यार|सब|जवाब|aapka|aapki|madad
        |ke|liye|bahut|hai|ho|ji|bhai|yaar|sab
        """,
        Cue.AFFIRM: """
        हाँ|हां|जी|जी हाँ|हाँ जी|ठीक है|ज़रूर|जरूर|बिल्कुल|कर दो|करो|कर दीजिए|कीजिए|ओके|haan|haan ji
        |ji|theek hai|thik hai|zaroor|bilkul|kar do|karo|kar dijiye
        """,
        Cue.OPENER: """
        क्या|कौन|कब|कहाँ|कहां|क्यों|कैसे|कितना|कितनी|कितने|किस|किसने|किसका|किसकी|किसके|समझाओ|समझाइए
        |बताओ|बताइए|परिभाषा|अंतर|अर्थ|मतलब|kya|kaun|kab|kahan|kyun|kyon|kaise|kitna|kitni|kitne|kis
        |kisne|kiska|kiski|samjhao|batao|bataiye|matlab|antar
        """,
        Cue.STRONG: """
        का मतलब|का अर्थ|की परिभाषा|में अंतर|में क्या अंतर|के बीच अंतर|किसने लिखा|किसने लिखी
        |किसने बनाया|किसने खोजा|की खोज|का आविष्कार|के लेखक|किस फ़िल्म|किस फिल्म|कब हुआ|कब हुई
        |कब हुआ था|कब शुरू|कब पैदा|की राजधानी|राजधानी|की जनसंख्या|जनसंख्या|का क्षेत्रफल|कैसे काम
        |कैसे बनता|कैसे बनते|क्यों होता|क्यों होती|क्यों होते|क्या होता है|क्या होती है|किसे कहते हैं
        |सबसे बड़ा|सबसे बड़ी|सबसे ऊँचा|सबसे ऊंचा|सबसे लंबी|सबसे लंबा|सबसे छोटा|सबसे तेज़|कौन सा देश
        |कितने .. होते हैं|कितनी .. होती हैं|पर्यायवाची|विलोम|सूत्र|प्रमेय|का नियम|के पहले
        |राष्ट्रपति कौन|kya hota hai|kya hoti hai|ka matlab|ka arth|mein antar|kisne likha
        |kisne likhi|kisne banaya|kisne khoja|ki rajdhani|rajdhani|sutra|kaise kaam|kaise banta
        |kyun hota|kise kehte|sabse bada|sabse badi|sabse lamba|sabse lambi|sabse uncha
        |kitne .. hote|kitni .. hoti|ki khoj|ka avishkar
        """,
        Cue.GENERAL: """
        kis saal|किस सन|किस वर्ष|किस साल|सदी|शताब्दी|प्राचीन|युद्ध|संधि|साम्राज्य|सम्राट|राजा|रानी
        |राष्ट्रपति|प्रधानमंत्री|संविधान|गणराज्य|क्रांति|स्वतंत्रता|आज़ादी|महाद्वीप|देश|द्वीप|महासागर|समुद्र
        |नदी|झील|पर्वत|पहाड़|ज्वालामुखी|रेगिस्तान|ग्रह|चंद्रमा|चाँद|सूर्य|सूरज|तारा|आकाशगंगा|ब्रह्मांड
        |गुरुत्वाकर्षण|प्रकाश|परमाणु|अणु|रसायन*|अम्ल|ऑक्सीजन|हाइड्रोजन|कार्बन|लोहा|सोना|चाँदी|तांबा|धातु
        |भौतिक*|ऊर्जा|प्रकाश संश्लेषण|कोशिका|जीन|प्रोटीन|बैक्टीरिया|वायरस|विटामिन|जानवर|पक्षी|मछली|पौधा
        |पौधे|जीव*|विकास|हृदय|दिल|फेफड़े|यकृत|गुर्दा|मस्तिष्क|हड्डी|हड्डियाँ|हड्डियां|गणित|समीकरण|त्रिभुज
        |वर्गमूल|उपन्यास|कविता|कवि|लेखक|फ़िल्म|फिल्म|गाना|निर्देशक|दर्शन|धर्म|रामायण|महाभारत|गीता|व्याकरण
        |शब्द|भाषा|अर्थव्यवस्था|मुद्रास्फीति|क़ानून|कानून|नोबेल|ओलंपिक|क्रिकेट|सिद्धांत|एल्गोरिदम|डेटाबेस
        |यूरोप|एशिया|अफ़्रीका|अमेरिका|दुनिया|विश्व|पृथ्वी|धरती|भारत|चीन|जापान|रूस|फ्रांस|जर्मनी|ब्रिटेन
        |संयुक्त राष्ट्र|तापमान|दबाव|भूकंप|जलवायु|मनोविज्ञान|परंपरा|शतरंज|मुद्रा|ध्वज|sadi|yuddh|samrat
        |raja|rani|rashtrapati|pradhan mantri|samvidhan|desh|nadi|pahad|grah|chand|suraj|tara
        |rasayan*|oxygen|hydrogen|loha|dhatu|bhautik*|urja|vitamin|janwar|pakshi|machhli|paudha
        |ganit|kavita|kavi|lekhak|film|gaana|dharm|ramayan|mahabharat|shabd|bhasha|kanoon|cricket
        |siddhant|duniya|prithvi|dharti|bharat|pani|taapman
        """,
        Cue.ADVICE: """
        सुझाव|सुझाओ|सलाह|राय|बेहतर|अच्छा रहेगा|चाहिए|सबसे अच्छा|तोहफ़ा|तोहफा|गिफ्ट|आइडिया|कौन सा लूँ
        |sujhav|sujhao|salah|rai|behtar|chahiye|sabse accha|tohfa|gift|idea|accha rahega
        """,
        Cue.TASK: """
        लिखो|लिखिए|लिख दो|बनाओ|बनाइए|बना दो|योजना|प्लान|तैयार करो|डिज़ाइन|सोचो|कहानी सुनाओ|सुनाओ
        |ठीक करो|सुधारो|बुक करो|बुक कर|खरीदो|ढूँढो|ढूंढो|मदद करो|जवाब दो|भेजो|भेज दो|छोटा करो
        |likho|likh do|banao|bana do|plan|taiyar karo|socho|kahani sunao|sunao|theek karo|sudharo
        |book karo|kharido|dhundo|madad karo|jawab do|bhejo|bhej do
        """,
        Cue.TRANSFORM: """
        अनुवाद|ट्रांसलेट|बदलो|में बदलें|वर्तनी|शुद्ध करो|सारांश|संक्षेप|निकालो|क्रम में|शब्द गिनो
        |कितने शब्द|anuvad|translate|badlo|saransh|nikalo|kitne shabd
        """,
        Cue.CALC: """
        कितना होता है|कितने होते हैं|जोड़|घटा|गुणा|भाग|प्रतिशत|फ़ीसदी|फीसदी|वर्गमूल|हिसाब|गणना
        |कितने दिन|दिन बाद|कौन सा दिन|jod|ghata|guna|bhag|pratishat|percent|hisab|kitna hota
        |kitne din|din baad
        """,
        Cue.UNIT: """
        किलोमीटर|मीटर|सेंटीमीटर|इंच|फुट|मील|पाउंड|ग्राम|किलो|लीटर|डिग्री|सेल्सियस|फ़ारेनहाइट|फारेनहाइट
        |एकड़|सेकंड|मिनट|घंटे|दिन|हफ़्ते|महीने|डॉलर|रुपये|रुपए|यूरो|rupaye|rupay|rupees|dollar|kilo
        |meter|minute|ghante|din
        """,
        Cue.LIVE: """
        भाव|कीमत|दाम|शेयर|रेट|स्कोर|कौन जीता|किसने जीता|नतीजा|उड़ान|फ्लाइट|फ़्लाइट|ट्रेन|ट्रैफ़िक|ट्रैफिक
        |हड़ताल|समाचार|ख़बर|खबर|ताज़ा|ताजा|कितने बजे हैं|समय क्या|सेंसेक्स|निफ्टी|bhav|keemat|kimat|daam
        |share|rate|score|kaun jeeta|kisne jeeta|flight|train|traffic|hartal|samachar|khabar|taza
        |kitne baje|time kya
        """,
        Cue.WEATHER: """
        मौसम|बारिश|बर्फ़|बर्फ|तापमान|छाता|mausam|barish|baarish|taapman|chhata
        """,
        Cue.COMMAND: """
        चलाओ|चला दो|खोलो|खोल दो|दिखाओ|सूची बनाओ|हटाओ|मिटाओ|पढ़ो|इंस्टॉल|डाउनलोड|बंद करो|शुरू करो
        |रोको|कॉपी|chalao|kholo|dikhao|hatao|padho|install karo|download karo|band karo|shuru karo
        """,
        Cue.ARTEFACT: """
        फ़ाइल|फाइल|फ़ाइलें|फाइलें|फ़ोल्डर|फोल्डर|डायरेक्टरी|टेस्ट|सर्वर|स्क्रिप्ट|कमांड|लॉग|पोर्ट|लाइन|पेज
        |लिंक|file|folder|test|server|script|command|log|port|line|page|link
        """,
        Cue.TIMER: """
        टाइमर|अलार्म|timer|alarm
        """,
        Cue.DEVICE: """
        लाइट जलाओ|लाइट बंद|बत्ती जलाओ|बत्ती बंद|पंखा|एसी|आवाज़ बढ़ाओ|आवाज़ कम|रोक दो|अगला गाना
        |light jalao|light band|batti|volume|agla gaana
        """,
        Cue.WEB: """
        इंटरनेट पर खोजो|इंटरनेट पर ढूँढो|गूगल करो|गूगल पर|वेब पर|internet par|google karo
        |google par
        """,
        Cue.ANAPHORA: """
        वह|वो|यह|ये|वे|उस|उसे|उसका|उसकी|उसके|उन|उनका|उनकी|उनके|इस|इसे|इसका|इसकी|इसके|वहाँ|वहां
        |यहाँ|यहां|वही|पहला|पहली|दूसरा|दूसरी|दूसरे|तीसरा|woh|wo|yeh|uska|uski|uske|unka|unki|iska
        |iski|iske|use|usko|wahan|yahan|wahi|pehla|pehli|dusra|dusri
        """,
        Cue.ELLIPSIS: """
        और|या|लेकिन|तो|फिर|क्यों नहीं|क्यों|और क्या|कितना|कितने|कितनी|कब से|नहीं|aur|ya|lekin|to|phir
        |kyun nahi|kyun|kitna|kitne|kitni|kab se
        """,
    },
)
