# ruff: noqa: RUF001 - letters of other scripts are meant
"""Function words of each language, which say nothing about a document's subject."""

from __future__ import annotations

from ...language.fold import fold

_LISTS = {
    "en": """
    a an the and or but if of to in on at by for with from as is are was were be been being am
    do does did done doing have has had having will would shall should can could may might must
    not no nor so than then that this these those there here it its he she they them his her
    hers their theirs him i me my mine myself yourself himself herself itself themselves we us
    our ours you your yours what which who whom whose when where why how about again just only
    also too very much many some any all both each few more most other such own same up down
    out off over under into onto through during before after between against please ok okay
    yes yeah let lets it'd because while until since though although however whether either
    neither every else upon within without across per via dont didnt doesnt isnt cant im ive
    etc
    """,
    "de": """
    der die das den dem des ein eine einen einem einer eines und oder aber wenn ob als wie zu
    zum zur im in am an auf aus bei beim mit nach von vom vor für über unter durch um gegen ohne
    bis seit ist sind war waren wird werden wurde wurden sein hat haben hatte hatten kann können
    konnte soll sollen muss müssen darf will wollen möchte nicht kein keine keinen nur auch noch
    schon mal doch ja nein so dann da hier dort es er sie ihn ihm ihr ihre ihren ihrem seine
    seinen seiner sich man wer was wann wo warum wieso welche welcher welches welchen wem wen
    wessen ich du wir mir mich dir dich uns euch mein meine meinen meinem meiner dein deine
    deinen unser unsere bitte sehr mehr viel alle alles etwas nichts dass damit diese dieser
    dieses diesen zwischen hast bist habe bin wohin woher weil immer jetzt denn werde sind
    """,
    "es": """
    el la los las un una unos unas lo al del de a ante con contra desde en entre hacia hasta para
    por según sin sobre tras y e o u pero si que qué como cómo cuando cuándo donde dónde quien
    quién quiénes cual cuál cuáles cuanto cuánto cuánta cuántos cuántas porque es son era eran
    fue fueron ser estar está están estaba hay había ha han he has hemos tiene tienen tengo
    tenía no sí ni más menos muy mucho mucha muchos muchas poco todo toda todos todas otro otra
    este esta esto estos estas ese esa eso esos esas aquel aquella yo tú él ella nosotros ellos
    ellas me te se nos le les mi mis tu tus su sus nuestro nuestra ya también tan así soy
    somos eres cerca
    """,
    "fr": """
    le la les l un une des du de d au aux à en dans par pour sur sous avec sans chez vers entre
    et ou où mais donc or ni car si que qu qui quoi quel quelle quels quelles quand comment
    pourquoi combien est sont était étaient être suis es sera ont ai as avait avoir j je tu il
    elle on nous vous ils elles me te se lui leur leurs y ne pas plus moins très trop aussi
    tout toute tous toutes autre autres même ce cet cette ces ça cela mon ma mes ton ta tes son
    sa ses notre nos votre vos ici là déjà encore alors moi toi eux oui non avons avez a c'est
    qu'est est-ce aujourd
    """,
    "pt": """
    o a os as um uma uns umas ao aos à às de do da dos das d em no na nos nas por pelo pela
    pelos pelas para pra com sem sob sobre entre até desde e ou mas se que quê quem qual quais
    quando onde como quanto quanta quantos quantas porque porquê é são era eram foi foram ser
    está estão estava tá há tem têm tinha tenho ter não sim nem mais menos muito muita muitos
    muitas pouco todo toda todos todas outro outra este esta isto esse essa isso aquele aquela
    dele dela eu tu ele ela nós eles elas você vocês me te lhe meu minha meus minhas teu tua seu
    sua seus suas nosso nossa já também tão sou somos perto
    """,
    "it": """
    il lo la i gli le l un uno una di a da in con su per tra fra del dello della dei degli delle
    al allo alla ai agli alle dal dalla dai dalle nel nello nella nei negli nelle sul sulla sui
    sulle e ed o ma se che chi cui come quando dove quanto quanti quanta quale quali perché è
    sono sei siamo siete era erano sia essere stato stata ho hai ha abbiamo avete hanno aveva
    avere non più meno molto molti poco tutto tutta tutti tutte altro altra questo questa questi
    queste quello quella quelli io tu lui lei noi voi loro mi ti si ci vi ne mio mia miei mie
    tuo tua suo sua suoi nostro nostra anche già ancora così cosa qual
    """,
    "nl": """
    de het een en of maar als dan dat die dit deze van voor met op in aan bij naar uit over om
    te tot door onder tegen zonder sinds is zijn was waren wordt worden werd ben bent heb hebt
    heeft hebben had hadden kan kunnen kon zal zullen zou moet moeten mag wil willen niet geen
    ook nog al wel er hier daar ik jij je hij zij ze wij we jullie hem haar hun mij me mijn jouw
    uw ons onze wie wat waar wanneer waarom hoe welke welk veel meer zeer alle alles iets niets
    omdat toen nu zo
    """,
    "sv": """
    och att det som en ett på är av för med den till inte om har de var jag han hon vi ni du dem
    honom henne oss er mig dig sig min mitt mina din ditt dina sin sitt sina hans hennes vår
    vårt våra när vad vem vilken vilket vilka hur varför från eller men så nu ska skulle kan
    kunde vill hade varit blir blev också bara mycket många under efter utan över vid denna
    detta dessa där här i ur mot mellan än nära
    """,
    "ru": """
    и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по только ее её
    мне было вот от меня еще ещё нет о из ему когда даже ну ли если уже или ни быть был него до
    вас вам себя ее нас их чем была сам чтоб чтобы без чего где кто какой какая какие какого
    сколько почему зачем мой моя мое моё мои моего моей твой твоя твои наш наша наши ваш ваша
    этот эта это эти того тот та те мы они ей им для при об про есть были будет будут можно надо
    очень тоже также потом там тут здесь меня тебя тебе нам
    """,
    "uk": """
    і й та що він на я з із як а то все вона так його але ти до у в ви за би по тільки її мені
    було від ще ні коли навіть ну чи якщо вже або бути був нас їх чим була щоб без де хто який
    яка які скільки чому мій моя моє мої твій наш цей ця це ці ми вони для при про є були буде
    дуже також там тут не мого мою моєї твого
    """,
    "hi": """
    का की के को से में पर ने है हैं था थी थे हो हुआ हुई हूँ हूं होता होती होते और या लेकिन कि जो तो
    भी ही न नहीं मत एक यह वह ये वे इस उस इन उन इसे उसे क्या कौन कब कहाँ कहां क्यों कैसे कितना कितनी
    कितने किस किसने किसका मैं मुझे मेरा मेरी मेरे हम हमें हमारा हमारी हमारे तुम आप आपका अपना अपनी अपने
    लिए गया गई गए रहा रही रहे वाला वाली वाले कुछ सब बहुत अगर जब तब तक उसका उसकी उसके उनका उनकी
    """,
    "ar": """
    في من على إلى عن مع هذا هذه ذلك تلك هو هي هم هن أنا أنت نحن ما ماذا متى أين اين كيف لماذا كم
    هل أي و أو ثم لكن إن أن ان إذا قد لقد كان كانت يكون تكون لا لم لن ليس غير كل بعض بعد قبل عند
    حتى منذ بين الذي التي الذين لي لك له لها لنا لهم بي به بها بهم فيه فيها منه منها عليه عليها
    إليه أيضا فقط هنا هناك يا كما وفي وهو وهي وما ومن
    """,
    "da": """
    og at det som en et på er af for med den til ikke om har de var jeg han hun vi i du dem ham
    hende os jer mig dig sig min mit mine din dit dine sin sit hans hendes vores når hvad hvem
    hvilken hvilket hvordan hvorfor hvor fra eller men så nu skal skulle kan kunne vil ville havde
    været blev også bare meget mange under efter uden over ved denne dette disse der her mod mellem
    """,
    "no": """
    og at det som en ett et på er av for med den til ikke om har de var jeg han hun vi dere du dem
    ham henne oss meg deg seg min mitt mine din ditt dine sin sitt sine hans hennes vår vårt våre
    når hva hvem hvilken hvilket hvordan hvorfor hvor fra eller men så nå skal skulle kan kunne vil
    ville hadde vært ble også bare mye mange under etter uten over ved denne dette disse der her mot
    """,
    "fi": """
    ja on ei se että en hän oli ovat olen mutta kun niin tai kuin myös joka mitä mikä missä milloin
    miksi miten kuka minä sinä me te he minun sinun hänen meidän tämä nämä tuo nuo ole olla olisi
    jos vain vielä nyt sitten jo kanssa minulla hänellä ovatko onko
    """,
    "pl": """
    i w we z ze na do nie się to że o jest są był była było były być jak ale po co kto gdzie kiedy
    dlaczego jaki jaka jakie czy dla od za przez przy u ja ty on ona my wy oni mnie mi ci go jej ich
    nas mój moja moje twój swój ten ta te tego tej tym który która które już tylko też także bardzo
    lub albo jego mam masz ma mamy
    """,
    "cs": """
    a v ve s se na do ne je jsou byl byla bylo být jak ale po co kdo kde kdy proč jaký jaká jaké
    pro od za při já ty on ona my vy oni mě mi ho jí jejich nás můj moje tvůj svůj ten ta to tento
    který která které už jen také velmi nebo že si jsem jsi mám má
    """,
    "tr": """
    ve bir bu şu o da de mi mı mu mü ne kim nerede ne zaman neden nasıl hangi için ile ama fakat
    çok daha en gibi kadar ben sen biz siz onlar benim senin onun bizim var yok değil olan olarak
    ki ya her şey sonra önce
    """,
    "ro": """
    și în la de cu pe un o al ale a ai nu este sunt era eram fi că ce cine unde când cum care dar
    sau din pentru prin despre eu tu el ea noi voi ei ele mă te se ne îi îl meu mea mei tău său
    acest această acel mai foarte tot și-a am ai are au avea
    """,
    "hu": """
    a az és egy hogy nem is van volt vannak mi ki hol mikor miért hogyan melyik de vagy ha mint
    csak már még én te ő mi ti ők engem nekem neked neki ez ezt azt ezek azok meg el fel le ki be
    nagyon lesz lenne
    """,
    "ca": """
    el la els les un una uns unes de del dels a al als en amb per sense i o però si que què com quan
    on qui quin quina és són era ser està hi ha he has no més molt tot tots aquest aquesta jo tu ell
    ella nosaltres ells em et es ens li meu meva seu seva també
    """,
    "id": """
    yang dan di ke dari untuk dengan adalah ini itu pada tidak akan juga saya aku kamu dia kami
    kita mereka apa siapa mana kapan mengapa kenapa bagaimana berapa sudah telah belum bisa ada
    atau tetapi tapi karena seperti oleh sangat lebih para saat nya
    """,
    "vi": """
    và của là có không được cho với một những các này đó khi như đã đang sẽ tôi bạn anh chị em nó
    họ chúng ta mình gì ai đâu nào sao thế rất cũng nhưng vì nếu thì mà ở trong ra vào lên đến từ
    """,
    "fa": """
    و در به از که این آن را با است برای تا بر هم من تو او ما شما آنها چه کی کجا چرا چگونه چطور
    یک نیست بود شد شده می های ها خود اگر یا اما ولی هر هیچ نه کن
    """,
    "el": """
    ο η το οι τα του της των τον την και κι να σε με για από που πως τι ποιος πού πότε γιατί είναι
    ήταν δεν θα στο στη στην στον στα μου σου μας σας τους αυτό αυτή εγώ εσύ αλλά ή αν
    """,
}

_ACCENTS_LEFT_OUT = {"es", "fr", "pt", "it", "ca", "ro", "vi", "ar", "fa", "el", "hi"}
"""Languages that are often typed without accents, and whose stop words without accents are not
common words."""


def _words(language: str) -> frozenset[str]:
    words = _LISTS[language].split()
    plain = map(fold, words) if language in _ACCENTS_LEFT_OUT else ()
    return frozenset((*words, *plain))


STOP = {language: _words(language) for language in _LISTS}
"""Function words by language, in lower case; those of `_ACCENTS_LEFT_OUT` also without accents."""
