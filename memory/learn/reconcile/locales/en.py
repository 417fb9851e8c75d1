"""English."""

from .model import Terms

TERMS = Terms(
    code="en",
    user="user users i me my mine he she his her hers him they their theirs them who",
    lead="""
    the|a|an|user's|users|user|his|her|their|my|of|older|elder|eldest|oldest|younger|youngest
    |little|big|best|close|late|new|current|former|next-door|twin|only|other|first|second
    |beloved|elderly
    """,
    ceased="""
    no longer|not any ?more
    |(?:do|does|did|is|are|has|have|was|can|will)(?:n't| not)(?= .*\\bany ?more\\b)|any ?more
    |no more|any longer|stopped|stop|stops|quit|quits|gave up|given up|has dropped|dropped
    |gave away|given away|got rid of|cancell?ed(?= .*\\b
    (?:subscription|membership|account|contract|order|policy|trip|holiday
    |vacation|wedding|course|plans?|reservation|booking|lessons?)\\b)|is over|are over
    |was over|has ended|have ended|ended(?! up)|has finished|is finished|is done with
    |has come off|came off|come off|used to
    |retired from|broke up|broken up|split up|gave(?= .{1,30}\\baway\\b)
    |given(?= .{1,30}\\baway\\b)|threw(?= .{1,30}\\b(?:away|out)\\b)|broke up with|withdrew
    |withdrawn|called off|unsubscribed from|sold|dissolved|discontinued|has lapsed|expired
    |resigned from|dropped out of|stepped down|has left|left (?=the|his|her|their)|moved out of
    |gave notice|shut down|wound up|closed down|uninstalled|deleted|parted with|is off|are off
    |threw out|returned the
    """,
    refuted="""
    never(?= \\w+ed\\b)|never had|never has had|has never had|never was|was never|were never
    |never were|has never been|never did|never owned|has never owned|was wrong|was a mistake
    |was mistaken|is not true|turned out not to|is false|was misdiagnosed
    """,
    replaced="""
    instead|switched|swapped|replaced|replacing|replaces|rather than|in place of|in favou?r of
    |traded|converted|upgraded|changed to|changed from|went back to|returned to|went from
    """,
    changed="""
    reached|has reached|pushed to|climbed to|shrank to|shrunk to|slipped to|now|nowadays
    |these days|currently|since|as of|moved to|has moved|moved|was promoted|promoted|renewed
    |extended|became|has become
    |has been (?:cut|raised|reduced|increased|moved|changed|pushed|lowered|postponed|set
    |shortened|extended|doubled|halved)
    |was (?:cut|raised|reduced|increased|moved|changed|lowered|pushed|postponed|rescheduled
    |shortened|extended|doubled|halved)
    |rescheduled|postponed|pushed back|brought forward|grown to|has grown|grew to|risen to
    |rose to|raised to|went up to|gone up to|dropped to|fell to|fallen to|went down to|down to
    |up to|cut to|reduced to|increased to|lowered to|renamed|updated to|bumped|from now on
    |actually|after the|following the
    """,
    added="""
    a second(?!-| hand)|a third|also|another|as well|too|in addition|besides|additionally|took up
    |has taken up|taken up
    """,
    intended="""
    is thinking about|is thinking of|thinking about|thinks about|is considering|considers|might
    |(?<=\\b(?:user|she|he|they|who) )may
    |plans to|is planning|planning to|wants to|would like to|hopes to|hoping to|intends to
    |dreams of|is toying with|is tempted to|someday|one day
    """,
    negated="""
    not|no|never|none|nothing|without|cannot|neither|nor|nobody|isn't|aren't|wasn't|weren't|don't
    |doesn't|didn't|won't|wouldn't|can't|couldn't|hasn't|haven't|hadn't|shouldn't|stopped|quit
    |cancell?ed|refuses|avoids|avoid|dislikes|hates|except|free of|unable
    """,
    kin={
        "mother": "mother mum mom mommy mummy",
        "father": "father dad daddy",
        "parent": "parent parents",
        "brother": "brother brothers half-brother stepbrother",
        "sister": "sister sisters half-sister stepsister",
        "sibling": "sibling siblings",
        "son": "son sons stepson",
        "daughter": "daughter daughters stepdaughter",
        "child": "child children kid kids",
        "baby": "baby toddler newborn",
        "wife": "wife",
        "husband": "husband",
        "partner": "partner spouse girlfriend boyfriend fiance fiancee",
        "ex": "ex ex-wife ex-husband ex-partner ex-girlfriend ex-boyfriend",
        "grandmother": "grandmother grandma granny nana gran",
        "grandfather": "grandfather grandpa granddad grandad",
        "grandparent": "grandparents grandparent",
        "grandchild": "grandson granddaughter grandchild grandchildren",
        "aunt": "aunt auntie",
        "uncle": "uncle",
        "cousin": "cousin cousins",
        "niece": "niece nieces",
        "nephew": "nephew nephews",
        "godchild": "goddaughter godson godchild",
        "godparent": "godmother godfather",
        "stepparent": "stepmother stepfather stepmum stepdad",
        "in_law": """mother-in-law father-in-law brother-in-law sister-in-law in-laws son-in-law
            daughter-in-law""",
        "friend": "friend friends pal buddy",
        "roommate": "roommate flatmate housemate",
        "neighbour": "neighbour neighbor neighbours neighbors",
        "boss": "boss manager supervisor",
        "colleague": "colleague colleagues coworker co-worker teammate",
        "landlord": "landlord landlady",
        "client": "client customer clients",
        "teacher": "teacher tutor coach",
        "doctor": "doctor dentist therapist gp physiotherapist physio",
        "dog": "dog dogs puppy",
        "cat": "cat cats kitten",
        "rabbit": "rabbit rabbits",
        "horse": "horse pony",
        "bird": "parrot budgie canary",
        "team": "team",
        "company": "company employer firm",
        "family": "family",
    },
    contrasts={
        "side": {"left": "left", "right": "right"},
        "environment": {
            "production": "production prod live",
            "staging": "staging",
            "development": "dev development",
            "test": "test testing qa",
        },
        "place": {
            "home": "home house flat apartment",
            "work": "office work workplace",
            "cabin": "cabin cottage holiday",
            "garage": "garage",
            "kitchen": "kitchen",
            "bedroom": "bedroom",
            "bathroom": "bathroom",
            "school": "school",
            "gym": "gym",
        },
        "owner": {"private": "personal private", "work": "work company business"},
        "age": {"older": "older elder eldest oldest", "younger": "younger youngest"},
        "order": {
            "first": "first 1st",
            "second": "second 2nd",
            "third": "third 3rd",
            "fourth": "fourth 4th",
        },
        "floor": {"up": "upstairs upper", "down": "downstairs lower"},
        "face": {"front": "front", "back": "back rear"},
        "season": {
            "summer": "summer",
            "winter": "winter",
            "spring": "spring",
            "autumn": "autumn fall",
        },
        "meal": {"breakfast": "breakfast", "lunch": "lunch", "dinner": "dinner supper"},
        "vehicle": {
            "car": "car",
            "bike": "bike bicycle e-bike",
            "motorbike": "motorbike motorcycle",
            "van": "van",
            "boat": "boat",
        },
        "device": {
            "laptop": "laptop",
            "desktop": "desktop",
            "phone": "phone",
            "tablet": "tablet",
        },
        "document": {"passport": "passport", "visa": "visa", "licence": "licence license"},
    },
    months="""
    january|jan february|feb march|mar april|apr may june|jun july|jul august|aug
    september|sep|sept october|oct november|nov december|dec
    """,
    weekdays="""
    monday|mondays|mon tuesday|tuesdays|tue wednesday|wednesdays|wed thursday|thursdays|thu
    friday|fridays|fri saturday|saturdays|sat sunday|sundays
    """,
    counts={
        "0": "zero", "1": "one once", "2": "two twice", "3": "three", "4": "four", "5": "five",
        "6": "six", "7": "seven", "8": "eight", "9": "nine", "10": "ten", "11": "eleven",
        "12": "twelve dozen", "15": "fifteen", "20": "twenty", "30": "thirty", "40": "forty",
        "50": "fifty", "100": "hundred", "1000": "thousand",
    },
    several="""
    speaks?|plays?|knows?|collects?|is allergic to|are allergic to|owns?|has visited|visited
    |has been to|subscribes to|is learning|learns?|is fluent in|taught|can play|can speak
    |studies|is afraid of|bought|has bought|is a member of|follows|supports|sings|reads|brews
    |grows|bakes|is good at
    """,
    single="""
    answer answers reply replies response summary summaries live work commute rent favourite
    surname name nickname email address birthday height weight age salary pronoun timezone
    """,
    billed="""
    bill invoice statement rent payslip fee report payment subscription newsletter retro
    """,
    light="""
    period season phase
    expire expires valid due account last ago earlier lately want wants wanted ask asked asking
    asks request requested
    use uses using do does doing have has had having go goes going went be being get gets
    getting got add adding adds put puts need needs like likes prefer prefers really just still
    already all every each any entirely completely altogether ever decided decide said says say
    told tells this that these those year years week weeks month months time idea plan plans
    thought subscription membership course class classes lesson lessons session sessions
    treatment routine recently finally officially thing things good day days include including
    included receive receiving send sending give giving take takes taking keep keeps keeping
    make makes making habit practice see sees be been it
    """,
    spelling="""
    favorite favourite|favorites favourites|color colour|colors colours|gray grey|center centre
    theater theatre|organize organise|organized organised|organization organisation
    recognize recognise|analyze analyse|analyzing analysing|traveling travelling
    traveled travelled|traveler traveller|license licence|jewelry jewellery|neighbor neighbour
    neighbors neighbours|labor labour|flavor flavour|humor humour|behavior behaviour|mom mum
    mommy mummy|program programme|tire tyre|plow plough|catalog catalogue|whiskey whisky
    yogurt yoghurt|aluminum aluminium|pajamas pyjamas|math maths|practise practice
    defense defence|fiber fibre|liter litre|liters litres|meter metre|meters metres
    kilometer kilometre|kilometers kilometres|mold mould|skeptical sceptical|donut doughnut
    airplane aeroplane|realize realise|apologize apologise|ok okay|email e-mail|online on-line
    per_cent percent %|kilograms kilogram kgs kg kilos|kilo|hours hour hrs hr
    minutes minute mins min|dollars dollar usd $|euros euro eur €|pounds gbp £
    approximately approx around about|canceled cancelled|learned learnt|spelled spelt
    gluten-free|glutenfree|vs versus|tv television|cozy cosy|enrolled enroled|fulfill fulfil
    maximum max|minimum min|every all each|called named name|weekday weekdays|everyone everybody
    wi-fi wifi
    """,
    same="""
    mother mum mom mommy mummy|dad father daddy|apartment flat
    bike bicycle cycle cycling cyclist|fridge refrigerator|phone telephone mobile
    photo photograph picture|vegetarian veggie|movie film|kid child son daughter
    wife spouse husband partner|begin start|big large|quick fast|buy purchase acquire own
    job work works working office workplace employ|pass die dead death lose lost|sleep bed
    doctor gp physician|university uni college|medicine medication drug pill|live reside
    residence reside|holiday vacation|shop store|online remote remotely|commute ride
    hate dislike|licence drive|break fracture|eldest oldest elder older|baby birth pregnant
    car drive vehicle|marry wedding husband wife|teach teacher|write writer author
    sibling brother sister|evening night|exercise gym workout|salary earn income pay
    birthday born|run runner jog|swim swimmer|cook chef recipe|read book reader
    vegan plant-based|alcohol drink|quit leave
    """,
    stop="one's per via upon within among amongst along across onto",
    articles="the a an s",
    comparing="than over to from before after rather versus vs until between for by not but",
    reason="""
    because .*|due to .*|owing to .*|thanks to .*|with (?:the|a|his|her|their)? ?[^,;]*help
    |for [\\w-]+ reasons|on [^,;]*advice|on doctor's orders
    |after (?:a|an|the|years|months|\\d+) [^,;]*
    """,
    past="""
    was|were|had|ran|paid|bought|spent|finished|won|lost|scored|visited|travelled|traveled|went
    |did|made|got|attended|met|saw|sold|cost|last \\w+|yesterday|today|\\w+ ago|completed|swam
    |hiked|cycled|walked|baked|cooked|drove|flew|received|came
    """,
    verbs="""
    is|are|was|were|has|have|had|will|can|needs|costs|runs|uses|hurts|weighs|takes|goes|starts
    |opens|closes|expires|came to|works|lives|plays
    """,
    conjunctions="and|but|or|while|because|so|which|plus|with",
)  # fmt: skip
