"""French."""

from .model import Terms

TERMS = Terms(
    code="fr",
    user="utilisateur utilisatrice user il elle je lui",
    lead="""
    le|la|les|l|l'|un|une|son|sa|ses|mon|ma|mes|de|du|d'|utilisateur|utilisatrice|grand|grande
    |petit|petite|aîné|aînée|cadet|cadette|jeune|vieux|vieille|meilleur|meilleure|nouveau
    |nouvelle
    """,
    ceased="""
    (?:ne|n)(?=\\W.{1,30}\\bplus\\b)|a arrêté|a cessé|cessé de|arrêté de|arrêté|abandonné
    |a quitté|quitté|a résilié|résilié|annulé|est terminé|est terminée|terminé|est fini
    |est finie|est finies|a vendu|vendu|a fermé|démissionné|s'est séparé|rompu avec|a mis fin
    |mis fin à|se passe désormais de
    """,
    refuted="""
    n'a jamais|n'avait jamais|n'est jamais|n'était pas|n'a jamais eu|était faux|était une erreur
    |c'est faux|n'est pas vrai
    """,
    replaced="""
    à la place|au lieu de|plutôt que|remplacé|remplace|est passé à|est passée à|passé à|passée à
    |échangé|a changé pour|et ouvert
    """,
    changed="""
    maintenant|désormais|actuellement|depuis|dorénavant|à partir de|a déménagé|déménagé|promu
    |promue|renouvelé|augmenté|réduit|baissé|porté à|monté à|descendu à|reporté|déplacé|avancé
    |modifié|changé|est devenu|est devenue|est passé|est passée|prolongé
    """,
    added="aussi|également|en plus|un autre|une autre|de plus|s'est mis à|s'est mise à",
    intended="""
    envisage|pense à|réfléchit à|songe à|aimerait|voudrait|prévoit|projette|espère|rêve de
    |peut-être|un jour|a l'intention de|compte
    """,
    negated="ne|n|pas|jamais|rien|aucun|aucune|sans|ni|non|évite|sauf|plus",
    kin={
        "mother": "mère maman", "father": "père papa", "parent": "parents",
        "brother": "frère frères demi-frère", "sister": "sœur sœurs demi-sœur",
        "son": "fils", "daughter": "fille filles", "child": "enfant enfants", "baby": "bébé",
        "wife": "femme épouse", "husband": "mari époux",
        "partner": "compagnon compagne conjoint conjointe copain copine fiancé fiancée",
        "ex": "ex ex-mari ex-femme", "grandmother": "grand-mère mamie",
        "grandfather": "grand-père papi papy", "grandparent": "grands-parents",
        "grandchild": "petit-fils petite-fille petits-enfants", "aunt": "tante", "uncle": "oncle",
        "cousin": "cousin cousine", "niece": "nièce", "nephew": "neveu",
        "godchild": "filleul filleule", "godparent": "parrain marraine",
        "stepparent": "belle-mère beau-père",
        "in_law": "beau-frère belle-sœur beaux-parents gendre belle-fille",
        "friend": "ami amie amis", "roommate": "colocataire coloc", "neighbour": "voisin voisine",
        "boss": "patron patronne chef cheffe manager", "colleague": "collègue collègues",
        "landlord": "propriétaire", "client": "client cliente",
        "teacher": "professeur professeure prof", "doctor": "médecin dentiste",
        "dog": "chien chienne chiens chiot", "cat": "chat chatte chats chaton",
        "rabbit": "lapin lapins", "horse": "cheval", "bird": "perroquet", "team": "équipe",
        "family": "famille", "company": "entreprise",
    },
    contrasts={
        "side": {"left": "gauche", "right": "droit droite"},
        "environment": {"production": "production prod", "staging": "préproduction staging",
                        "test": "test"},
        "place": {"home": "maison domicile appartement", "work": "bureau travail",
                  "cabin": "chalet campagne"},
        "owner": {"private": "personnel personnelle perso",
                  "work": "professionnel professionnelle"},
        "age": {"older": "aîné aînée grand grande", "younger": "cadet cadette petit petite"},
        "order": {"first": "premier première", "second": "deuxième second seconde",
                  "third": "troisième"},
        "season": {"summer": "été", "winter": "hiver"},
        "meal": {"breakfast": "petit-déjeuner", "lunch": "déjeuner", "dinner": "dîner"},
        "vehicle": {"car": "voiture", "bike": "vélo", "motorbike": "moto"},
        "device": {"laptop": "portable", "phone": "téléphone", "tablet": "tablette"},
        "document": {"passport": "passeport", "visa": "visa", "licence": "permis"},
    },
    months="""
    janvier février mars avril mai juin juillet août septembre octobre novembre décembre
    """,
    weekdays="""
    lundi|lundis mardi|mardis mercredi|mercredis jeudi|jeudis vendredi|vendredis samedi|samedis
    dimanche|dimanches
    """,
    counts={"2": "deux", "3": "trois", "4": "quatre", "5": "cinq", "6": "six", "7": "sept",
            "8": "huit", "9": "neuf", "10": "dix", "12": "douze", "15": "quinze", "20": "vingt",
            "30": "trente", "100": "cent"},
    several="parle|joue d[eu]|joue de la|joue|collectionne|apprend|est allergique [àa]u?x?",
    single="""
    habite travaille vit nom prénom surnom adresse anniversaire poids taille salaire âge
    """,
    billed="facture loyer relevé quittance cotisation",
    light="""
    veut souhaite préfère aime fait faire a avoir va aller utilise utiliser demande demander
    toujours très chaque tous toutes tout année an ans jour jours fois bien recevoir être
    """,
    spelling="""
    clef clé|euros euro eur €|pour_cent %|kg kilo kilos kilogrammes|heure heures
    minute minutes min|dollars dollar usd $|e-mail email mail courriel|chaque tous toutes
    environ approximativement|week-end weekend|vélo bicyclette
    """,
    same="""
    vivre habiter résider|travail emploi boulot|voiture auto|appartement appart|vélo bicyclette
    souhaiter vouloir|aimer adorer|film cinéma|fleuriste fleurs|enfant fils fille
    téléphone portable
    """,
    articles="le la les l un une",
    comparing="que de à depuis avant après sur entre pour par sans contre mais",
    reason="""
    parce que .*|à cause de .*|en raison de .*|pour des raisons .*|avec l'aide .*
    |pour raisons .*
    """,
    past="a|ont|était|hier|dernier|dernière|fut",
    verbs="est|sont|était|a|ont|coûte|pèse|utilise|va|commence|s'élève",
    conjunctions="et|ou|mais|tandis que|parce que|puis|avec",
)  # fmt: skip
