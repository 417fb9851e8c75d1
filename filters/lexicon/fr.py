"""French."""

from .model import Cue, Lexicon

LEXICON = Lexicon(
    code="fr",
    stop="""
    le la les l' un une des du de d' au aux à en dans par pour sur sous avec sans chez vers
    entre et ou où mais donc or ni car si que qu' qui quoi quel quelle quels quelles quand
    comment pourquoi combien est sont était étaient être suis es sera fera fait font faire a
    ont ai as avait avoir j' je tu il elle on nous vous ils elles me m' te t' se s' lui leur
    leurs y ne n' pas plus moins très trop aussi bien peu tout toute tous toutes autre autres
    même ce c' cet cette ces ça cela ceci mon ma mes ton ta tes son sa ses notre nos votre vos
    ici là déjà encore alors puis ensuite moi toi eux oui non merci bonjour salut svp plaît
    dire dit dis peux peut va vais faut choses chose jusqu' lorsqu' avons avez avais avions
    """,
    cues={
        Cue.SELF: """
        je|j'|moi|me|m'|mon|ma|mes|mien|mienne|miens|miennes|nous|notre|nos|nôtre|on avait|on a
        |on est|on va|on doit|on peut|on avait dit|avait on|a t on|va t on|on part|on se|on s'
        |comme d' habitude|comme d'habitude|comme toujours|la même chose|pareil que
        |la dernière fois|l' autre jour|comme convenu|comme prévu|tu m'|tu avais|tu as dit
        |tu te souviens|te souviens|souviens|souviens toi|rappelle toi|oublie|oubliez|n' oublie
        |désormais|dorénavant|à partir de maintenant|à l' avenir|appelle moi|chez moi|chez nous
        |à la maison
        """,
        Cue.KIN: """
        maman|papa|mamie|papi|papy|mémé|pépé|tata|tonton|tante|oncle|les enfants|la petite
        |le petit|les petits
        """,
        Cue.NEUTRAL: """
        notre système solaire|notre galaxie|notre planète|notre dame|notre père|nos jours
        |de nos jours|on appelle|on dit|appelle t on|dit on|on écrit|écrit on|on utilise|on mesure
        |utilise t on|on calcule|calcule t on|trouve t on|on trouve|on fabrique|peut on|on obtient
        |on prononce|prononce t on|on définit|sait on|parle t on|est elle|est il|sont ils
        |sont elles|ont ils|ont elles|a t il|a t elle|fait il|il y a|il pleut|faut il|il faut
        |existe t il|qu'est ce que c'est|oncle sam|oncle vania
        """,
        Cue.FRAME: """
        dis moi|dites moi|donne moi|donnez moi|explique moi|expliquez moi|montre moi|peux tu
        |pouvez vous|pourrais tu|pourriez vous|peux tu me dire|peux tu m' expliquer
        |pouvez vous m' expliquer|pouvez vous me dire|tu peux|tu peux me dire|tu peux m' expliquer
        |sais tu|savez vous|je voudrais savoir|j' aimerais savoir|je veux savoir|je me demande
        |je me demandais|une question|j' ai une question|aide moi|aide moi à comprendre
        |rappelle moi|je ne comprends pas
        """,
        Cue.HOWTO: """
        comment puis je|comment faire|comment je|comment est ce que je|comment fait on
        |comment peut on|que se passe t il si|comment on|pourquoi avons nous|comment savons nous
        |je fais comment pour
        """,
        Cue.PRIVATE: """
        mère|père|frère|soeur|sœur|fille|fils|femme|mari|épouse|époux|cousin*|neveu*|nièce*
        |beau père|belle mère|beau frère|belle soeur|petit fils|grand mère|grand père|copain
        |copine|ami|amie|amis|voisin*|collègue*|patron|patronne|chef|cheffe|propriétaire
        |locataire*|client|clients|prof|professeur*|maître|maîtresse|entraîneur*|médecin|dentiste
        |kiné|véto|vétérinaire|thérapeute|plombier|électricien|artisan|garagiste|avocat*|notaire
        |comptable|coiffeu*|nounou|monsieur|madame|mme|m|appartement|appart|maison|cuisine|jardin
        |garage|cave|balcon|bureau|travail|boulot|école|crèche|collège|lycée|club|chorale
        |répétition|réunion*|rendez vous|rdv|agenda|calendrier|échéance|réservation|voyage
        |vacances|rando|randonnée|mariage|anniversaire|fête|soirée|dîner|déjeuner|examen*|devoirs
        |mémoire|thèse|projet|dossier|facture|devis|contrat|bail|loyer|caution|salaire|paie
        |retraite|budget|épargne|assurance|mutuelle|prêt|crédit|compte|mot de passe|code|wifi|clés
        |clé|clef|voiture|camionnette|vélo|moto|bateau|chaudière|lave vaisselle|lave linge
        |imprimante|chien|chat|chienne|chatte|ordonnance|médicament*|cachets|allergi*|régime|liste
        |colis|commande|livraison|abonnement|immatriculation|numéro de série|brouillon|rapport
        |document|fichier|message|lettre|courrier|déménagement|travaux|le nouveau|la nouvelle
        |promis|recommand*|conseill*|mentionn*|prêté|emprunté|doit|devait|payé|acheté|réservé
        |invité*
        """,
        Cue.HINT: """
        déjà|encore|toujours|de nouveau|finalement|d' habitude|normalement|rappelle moi|où en est
        |au fait
        """,
        Cue.WHEN: """
        aujourd'hui|aujourd' hui|demain|hier|ce soir|ce matin|cet après midi|cette semaine
        |ce week end|ce weekend|la semaine prochaine|le mois prochain|l' an prochain
        |l' année prochaine|la semaine dernière|le mois dernier|l' an dernier|l' été dernier
        |après demain|avant hier|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|maintenant
        |en ce moment|actuellement|tout à l' heure|bientôt
        """,
        Cue.GREET: """
        bonjour|bonsoir|salut|coucou|hello|hey|rebonjour|bonne nuit|ça va|comment ça va
        |comment vas tu|comment allez vous|quoi de neuf|merci|merci beaucoup|merci bien
        |mille mercis|un grand merci|je te remercie|je vous remercie|de rien|je t' en prie
        |au revoir|à bientôt|à demain|à plus|à plus tard|à tout à l' heure|ciao|adieu
        |bonne journée|bonne soirée|bon week end|bonne fin de journée|ok|okay|d' accord|d'accord
        |entendu|compris|je vois|je comprends|bien reçu|noté|c' est noté|parfait|super|génial
        |excellent|formidable|magnifique|top|nickel|cool|bien|très bien|bravo|chouette|impeccable
        |exact|exactement|c' est vrai|c' est clair|ça marche|ça fonctionne|ça a marché|c' est bon
        |c' est parfait|c' est tout|pas de souci|pas de problème|non merci|non|oui|ouais|haha
        |hahaha|hihi|mdr|lol|ptdr|ah|oh|euh|hmm|waouh|wow|pardon|désolé|désolée|excuse moi
        |je suis désolé|tu es génial|tu es le meilleur|tu me sauves|tu as fait ma journée
        |intéressant|tu es là|test|félicitations|bien joué|bon travail|logique|c' est logique
        """,
        Cue.PRAISE: """
        pour|ton|ta|votre|l'|aide|tout|toute|très|vraiment|à|toi|vous|tu|as|es|avez|été|c'|est
        |était|d'|une|grande|utile|gentil|sympa|bonne|belle|explication|réponse|les|infos|et
        |beaucoup|infiniment|encore|m'|aidé|bien|ça
        """,
        Cue.AFFIRM: """
        oui|ouais|oui merci|oui stp|oui s' il te plaît|s' il te plaît|s' il vous plaît|stp|svp
        |vas y|allez|allez y|fais le|faites le|d' accord|ok|okay|bien sûr|volontiers|avec plaisir
        |continue|je veux bien|parfait|confirme|je confirme|go|absolument
        """,
        Cue.OPENER: """
        qui|que|qu'|quoi|quel|quelle|quels|quelles|quand|où|pourquoi|comment|combien|est ce|est
        |sont|y a t il|existe|explique|expliquez|définis|définir|définissez|décris|nomme|cite
        |citez|compare|donne|différence|signification|peut|qu'est|c'est quoi|lequel|laquelle
        """,
        Cue.STRONG: """
        qu' est ce qu' un|qu' est ce qu' une|qu' est ce que|que veut dire|que signifie
        |ça veut dire quoi|que veulent dire|signification de|définition|définis|différence entre
        |différences entre|différence|qui a écrit|qui a peint|qui a composé|qui a inventé
        |qui a découvert|qui a fondé|qui a réalisé|qui a chanté|qui est l' auteur|quel siècle
        |quand est né|quand est née|quand est mort|quand a commencé|quand a été|quand s' est
        |capitale de|capitale du|population de|auteur de|symbole|formule|point d' ébullition
        |pluriel de|synonyme*|antonyme|contraire de|combien de .. a un|combien de .. a une
        |combien de .. dans|combien y a t il de|comment fonctionne|comment fonctionnent
        |comment se forme|comment se forment|comment dit on|comment s' écrit|comment se prononce
        |pourquoi le ciel|pourquoi les|plus grand|plus grande|plus petit|plus petite|plus haut
        |plus haute|plus long|plus longue|plus profond*|plus ancien*|plus rapide|quel pays
        |quels pays|quelle planète|quel fleuve|quel animal|quels animaux|quel élément|théorème
        |corps humain|loi de|lois de|complexité|à quoi sert|d' où vient le mot
        |d' où vient l' expression
        """,
        Cue.GENERAL: """
        quelle année|en quelle année|c' est quoi|quelle est la hauteur|quelle hauteur
        |quelle est la profondeur|à quelle vitesse|à quelle température|qui était|siècle*
        |antiquité|antique|médiéval*|moyen âge|guerre|bataille|traité|empire|empereur*|roi|rois
        |reine|règne|pape|président|constitution|république|révolution|dynastie|indépendance
        |continent*|pays|île|océan|mer|fleuve|lac|montagne*|volcan*|désert|planète*|lune|soleil
        |étoile*|galaxie*|univers|gravité|vitesse de la lumière|atome*|molécule*|chimi*|acide*
        |oxygène|hydrogène|carbone|fer|or|argent métal|cuivre|métal|métaux|physique|quantique
        |énergie|photosynthèse|cellule*|adn|gène*|protéine*|bactérie*|virus|vaccin*|vitamine*
        |mammifère*|insecte*|oiseau*|poisson*|baleine*|animal|animaux|plante*|biolog*|évolution
        |coeur|cœur|poumon*|foie|rein|cerveau|os|muscle*|mathémat*|équation|nombre premier
        |nombres premiers|triangle|racine carrée|logarithme|probabilité|statistique*|roman|poème
        |poète|auteur|écrivain*|peintre|compositeur*|symphonie|opéra|film|réalisateur|philosoph*
        |religion*|bible|coran|latin|grec|grecque|romain*|grammair*|subjonctif|adjectif|verbe|mot
        |sigle|acronyme|langue*|économi*|inflation|pib|intérêts composés|obligation
        |action en bourse|loi|lois|droit|nobel|olympique*|coupe du monde|théorie|principe|effet
        |concept|algorithme*|récursi*|base de données|bases de données|protocole|chiffrement
        |héritage|pointeur*|europe|européen*|asie|afrique|amérique*|monde|terre|france|français*
        |belgique|suisse|allemagne|allemand*|italie|espagne|angleterre|anglais*|russie|chine|japon
        |inde|brésil|canada|québec|états unis|union européenne|onu|otan|température|pression
        |degrés|séisme|climat|psycholog*|tradition|mytholog*|vin|fromage|échecs|hors jeu|alphabet
        |monnaie|drapeau
        """,
        Cue.ADVICE: """
        vaut le coup|vaut la peine|devrais je|dois je|devrait on|recommande|recommandes|conseille
        |conseilles|conseil|conseils|propose|suggère|suggestion*|idée|idées|meilleur|meilleure
        |meilleurs|mieux|avis|que penses tu|qu' en penses|tu en penses|cadeau*|choisir|décider
        |améliorer|astuce*
        """,
        Cue.TASK: """
        écris|écrivez|rédige|rédigez|planifie|organise|prépare|crée|créez|fais moi|fais un
        |fais une|imagine|invente|conçois|compose|trouve moi|trouve un|trouve une|trouve des
        |propose|réécris|reformule|raccourcis|plus court|plus long|améliore|relis|révise
        |refactorise|implémente|réserve|commande|achète|cherche un|cherche une|cherche des
        |aide moi|raconte|réponds|envoie|complète|ajoute une section|aide à
        """,
        Cue.TRANSFORM: """
        traduis|traduisez|traduire|traduction|convertis|convertir|convertissez|corrige|corrigez
        |corriger|orthographe|majuscules|minuscules|résume|résumez|résumer|extrais|extraire|trie
        |trier|compte les|combien de mots|combien de caractères|formate|encode|décode|remplace
        |supprime|enlève|transcris|mets .. en majuscules|mets .. au|mets .. en|transforme .. en
        """,
        Cue.CALC: """
        calcule|calculer|calculez|combien font|combien fait|combien ça fait|pour cent|pourcent
        |divisé|multiplié|fois|plus|moins|racine carrée|convertis|en euros|en dollars
        |combien de jours|combien d' heures|jours après|jours avant|quel jour de la semaine
        |quel jour tombe|nombre aléatoire|lance un dé|somme
        """,
        Cue.UNIT: """
        euro|dollar|livre sterling|yen|miles|kilomètres|kilomètre|mètres|mètre|centimètres|pouces
        |pieds|livres|onces|grammes|kilos|litres|degrés|hectares|secondes|minutes|heures|jours
        |semaines|mois|dollars|euros|yens|francs|binaire
        """,
        Cue.LIVE: """
        cours de|cours du|cours de l'|prix de l'|prix du|prix de|cote|taux de change|bourse|score
        |qui a gagné|résultat du|résultat|vol|retard|à l' heure|trafic|bouchons|grève
        |perturbation*|actualités|actus|les infos|titres|dernière version|ouvert|ouverte|horaires
        |quelle heure est il à|heure à|quel jour sommes nous|date du jour|lever du soleil
        |coucher du soleil|marée*
        """,
        Cue.WEATHER: """
        météo|quel temps|temps fait il|temps fera|pleut|pleuvoir|pleuvra|pluie|neige|neiger
        |température à|vent|orage|parapluie
        """,
        Cue.COMMAND: """
        lance|exécute|relance|ouvre|ouvrez|liste|affiche|montre|supprime|efface|lis|cherche
        |installe|compile|copie|déplace|renomme|redémarre|arrête|démarre|télécharge|ferme|refais
        """,
        Cue.ARTEFACT: """
        fichier|fichiers|dossier|répertoire|tests|test|serveur|script|commande|branche|processus
        |port|ports|logs|conteneur*|paquets|lignes|page|lien|url|terminal
        """,
        Cue.TIMER: """
        minuteur|alarme|réveil|compte à rebours
        """,
        Cue.DEVICE: """
        allume la|allume les|allume le|éteins la|éteins les|éteins le|monte le volume|monte le son
        |baisse le volume|baisse le son|pause|chanson suivante|à la liste de courses
        |à la liste des courses|chronomètre
        """,
        Cue.WEB: """
        cherche sur internet|cherche sur le web|recherche sur internet|recherche sur le web
        |cherche en ligne|google
        """,
        Cue.ANAPHORA: """
        il|elle|ils|elles|lui|leur|leurs|ça|cela|ceci|celui|celle|ceux|celles|ce|son|sa|ses
        |le premier|la première|le deuxième|la deuxième|le second|la seconde|l' autre|les autres
        |le dernier|numéro 1|numéro 2|les deux|alors|la même|le même
        """,
        Cue.ELLIPSIS: """
        et|ou|mais|pourquoi pas|pourquoi|et si|et puis|et après|quoi d' autre|qui d' autre|lequel
        |laquelle|lesquels|combien|depuis quand|non|alors|encore|plus court|la semaine d' avant
        |l' autre|plus|moins
        """,
        Cue.ARTICLE: """
        le|la|les|l'|au|aux|du|des
        """,
    },
)
