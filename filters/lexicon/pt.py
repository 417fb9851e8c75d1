"""Portuguese. First persons without a pronoun are found by verb endings."""

from .model import Cue, Lexicon

LEXICON = Lexicon(
    code="pt",
    stop="""
    o a os as um uma uns umas ao aos à às de do da dos das d em no na nos nas por pelo pela
    pelos pelas para pra pro com sem sob sobre entre até desde e ou mas se que quê quem qual
    quais quando onde como quanto quanta quantos quantas porque porquê é são era eram foi
    foram ser está estão estava tá há tem têm tinha tenho ter faz fazem fez pode podem posso
    não sim nem mais menos muito muita muitos muitas pouco todo toda todos todas tudo outro
    outra outros outras este esta isto esse essa isso aquele aquela aquilo dele dela deles
    delas eu tu ele ela nós vós eles elas você vocês me te lhe meu minha meus minhas teu tua
    seu sua seus suas nosso nossa já também tão bem agora depois então aqui aí ali lá mesmo né
    ok coisa coisas dizer disse diz vai vou ir favor só ainda
    """,
    cues={
        Cue.SELF: """
        eu|me|mim|meu|minha|meus|minhas|nós|nosso|nossa|nossos|nossas|comigo|conosco|a gente
        |o de sempre|como sempre|o mesmo de|igual da|igual à|da última vez|a última vez|última vez
        |outro dia|como combinado|como combinamos|te disse|te falei|te contei|já falei|você disse
        |você falou|você me|você lembra|lembra de|lembra que|lembra|lembre|lembrar que|esquece
        |esqueça|a partir de agora|de agora em diante|daqui pra frente|me chame|me chama|tenho
        |tinha que|temos|quero|queria|posso|devo|vou|fui|estou|tô|estava a|estive|sou|moro
        |trabalho em|saio|chego|venho|faço|fiz|disse que|pus|quis|pude|trouxe|vim|vi|dei|preciso
        |prefiro|odeio|compro|pago|conheço|costumo|costumava|em casa|pra casa|de casa
        """,
        Cue.KIN: """
        mamãe|papai|mãe|pai|vovó|vovô|vó|vô|avó|avô|tia|tio|as crianças|os miúdos
        """,
        Cue.NEUTRAL: """
        nosso sistema solar|nossa galáxia|nosso planeta|nossa senhora|pai nosso|pai da|pai do
        |mãe de|pai de|século vi
        """,
        Cue.FRAME: """
        me diga|me diz|diga me|diz me|me dê|me dá|dá me|me explica|me explique|explica me
        |explique me|me mostre|me mostra|mostra me|mostre me|me conta|você pode|pode me dizer
        |pode me explicar|você pode me dizer|poderia|podes|poderia me dizer|pode|sabe|você sabe
        |sabes|quero saber|queria saber|gostaria de saber|uma pergunta|tenho uma pergunta
        |tenho uma dúvida|me ajuda|me ajude|me ajuda a entender|me lembra|me lembre|relembra me
        |não entendo|estou curioso
        """,
        Cue.HOWTO: """
        como eu|como faço|como posso|como se|como a gente|o que acontece se eu|o que acontece se
        |como é que eu|como instalo|como saio do|como crio|por que temos|como sabemos
        """,
        Cue.PRIVATE: """
        irmão|irmã|irmãos|filha|filho|filhos|esposa|esposo|marido|mulher|cunhad*|sobrinh*|net*
        |prim*|sogr*|namorad*|amigo|amiga|amigos|vizinh*|colega*|chefe|patrão|senhorio|inquilin*
        |cliente|clientes|professor|professora|treinador*|médico|médica|dentista|pediatra
        |terapeuta|encanador|eletricista|pedreiro|mecânico|advogad*|contador|cabeleireir*|babá
        |senhor|senhora|dona|seu|apartamento|casa|cozinha|jardim|quintal|garagem|varanda
        |escritório|trabalho|escola|creche|clube|coral|ensaio|reunião|reuniões|consulta|agenda
        |calendário|prazo|reserva|viagem|férias|casamento|aniversário|festa|jantar|almoço|prova
        |provas|dever de casa|tese|projeto|fatura|conta|orçamento|contrato|aluguel|caução|hipoteca
        |salário|aposentadoria|poupança|seguro|apólice|empréstimo|senha|pin|wifi|chaves|chave
        |carro|moto|bicicleta|barco|aquecedor|caldeira|lavadora|máquina de lavar|impressora
        |cachorro|cão|gato|gata|receita|remédio*|comprimidos|alergi*|dieta|lista|pacote|encomenda
        |pedido|entrega|assinatura|placa|número de série|rascunho|relatório|documento|arquivo
        |pasta|mensagem|carta|mudança|reforma|o novo|a nova|prometi*|recomend*|mencion*|emprest*
        |deve|devia|combin*|convidad*|trazer|traz
        """,
        Cue.HINT: """
        de novo|outra vez|ainda|já|mesmo|afinal|normalmente|me lembra|me lembre|né|continua
        """,
        Cue.WHEN: """
        hoje|amanhã|ontem|esta noite|hoje à noite|esta tarde|esta semana|este fim de semana
        |no fim de semana|semana que vem|próxima semana|mês que vem|ano que vem|semana passada
        |mês passado|ano passado|depois de amanhã|anteontem|segunda feira|terça feira|quarta feira
        |quinta feira|sexta feira|na segunda|na terça|na quarta|na quinta|na sexta|sexta|sábado
        |domingo|agora|agora mesmo|no momento|atualmente|daqui a pouco|logo
        """,
        Cue.GREET: """
        oi|oie|olá|ola|opa|e aí|eai|bom dia|boa tarde|boa noite|tudo bem|tudo bom|como vai
        |como você está|como está|como estás|beleza|obrigado|obrigada|muito obrigado
        |muito obrigada|brigado|brigada|valeu|vlw|agradeço|de nada|tchau|adeus|até logo|até mais
        |até amanhã|até breve|até já|bom fim de semana|boa semana|bom descanso|durma bem|ok|okay
        |tá|tá bom|tá bem|tá certo|certo|está bem|combinado|entendi|entendido|percebi|saquei
        |compreendi|claro|perfeito|ótimo|excelente|maravilha|maravilhoso|legal|bacana|show|massa
        |top|fixe|bom|muito bom|bem|muito bem|que bom|incrível|fantástico|genial|isso|isso mesmo
        |exato|exatamente|verdade|correto|faz sentido|funcionou|deu certo|era isso|só isso
        |é só isso|sem problema|sem problemas|tranquilo|não obrigado|não obrigada|não|sim|haha
        |hahaha|kkk|kkkk|kkkkk|rs|rsrs|lol|uau|oh|ah|hum|hmm|desculpa|desculpe|foi mal|parabéns
        |mandou bem|bom trabalho|você é demais|você é o melhor|você salvou meu dia|ganhei o dia
        |interessante|que interessante|está aí|teste|pronto|feito|joia|jóia|igualmente
        """,
        Cue.PRAISE: """
        pela|pelo|por|a|o|sua|tua|ajuda|tudo|muito|mesmo|você|foi|é|de|grande|útil|boa|bom
        |explicação|resposta|me|te|e|viu|ajudou|ajudar|amigo|demais|super|isso|então|também
        |informação
        """,
        Cue.AFFIRM: """
        sim|claro|claro que sim|por favor|sim por favor|pode|pode ser|pode fazer|faz|faça|faz isso
        |vai|vá em frente|ok|okay|tá|tá bom|beleza|isso|continua|continue|confirmo|bora
        |com certeza|manda ver|perfeito
        """,
        Cue.OPENER: """
        o que|que|quê|quem|qual|quais|quando|onde|por que|por quê|porque|como|quanto|quanta
        |quantos|quantas|é|são|existe|há|tem|explica|explique|define|defina|descreve|descreva|cite
        |nomeie|me diga|me dê|compara|compare|diferença|significado|pode|podem|liste
        """,
        Cue.STRONG: """
        o que é|o que são|que é um|que é uma|o que significa|o que quer dizer|significado de
        |definição|defina|diferença entre|diferenças entre|diferença|quem escreveu|quem pintou
        |quem compôs|quem inventou|quem descobriu|quem fundou|quem dirigiu|quem foi|quem proclamou
        |em que século|quando nasceu|quando morreu|quando começou|quando terminou|quando aconteceu
        |quando aconteceram|quando ocorreu|capital de|capital do|capital da|população de
        |população do|autor de|autora de|símbolo|fórmula|ponto de ebulição|plural de|sinônimo*
        |antônimo*|quantos .. tem um|quantas .. tem um|quantos .. tem uma|quantas .. tem uma
        |quantos .. existem|quantas .. há|como funciona|como funcionam|como se forma
        |como se formam|como se diz|como se escreve|como se pronuncia|por que o céu|por que os
        |por que as|maior|menor|mais alto|mais alta|mais longo|mais profund*|mais antig*
        |mais rápid*|qual país|que país|quais países|qual planeta|qual rio|qual animal|que animal
        |qual elemento|teorema|corpo humano|lei de|leis de|complexidade|para que serve
        |pra que serve|de onde vem a palavra
        """,
        Cue.GENERAL: """
        em que ano|qual a altura|qual é a altura|a que velocidade|a que temperatura|quando foi
        |século*|antig*|medieval|idade média|guerra|batalha|tratado|império|imperador*|rei|reis
        |rainha|reinado|trono|papa|presidente|constituição|república|revolução|dinastia
        |independência|continente*|país|países|ilha|oceano|mar|rio|lago|montanha*|vulcão|vulcões
        |deserto|planeta*|lua|sol|estrela*|galáxia*|universo|gravidade|velocidade da luz|átomo*
        |molécula*|químic*|ácido*|oxigênio|hidrogênio|carbono|ferro|ouro|prata|cobre|metal|metais
        |física|quântic*|energia|fotossíntese|célula*|dna|gene|genes|proteína*|bactéria*|vírus
        |vacina*|vitamina*|mamífero*|inseto*|ave|aves|peixe*|polvo|baleia*|animal|animais|planta*
        |biolog*|evolução|coração|pulmão|fígado|rim|cérebro|osso*|músculo*|matemátic*|equação
        |número primo|triângulo|raiz quadrada|logaritmo|probabilidade|estatístic*|romance|poema
        |poeta|autor|autora|escritor*|pintor|compositor*|sinfonia|ópera|filme|diretor de|filósof*
        |filosof*|religião|bíblia|alcorão|latim|grego*|roman*|gramátic*|subjuntivo|adjetivo|verbo
        |substantivo|palavra|sigla|idioma*|língua|economia|inflação|pib|juros compostos
        |título público|lei|leis|direito|nobel|olímp*|copa do mundo|teoria|princípio|efeito
        |conceito|algoritm*|recurs*|banco de dados|bancos de dados|protocolo|criptografia|herança
        |ponteiro*|europa|ásia|áfrica|américa|mundo|terra|brasil|brasileir*|portugal|portugu*
        |angola|espanha|frança|alemanha|itália|inglaterra|inglês|rússia|china|japão|índia
        |argentina|estados unidos|união europeia|onu|otan|temperatura|pressão|graus|terremoto
        |clima|psicolog*|tradição|mitolog*|vinho|queijo|xadrez|impedimento|alfabeto|moeda|bandeira
        """,
        Cue.ADVICE: """
        vale a pena|devo|deveria|devemos|recomenda*|recomende|sugira|sugere|sugestã*|sugestõ*
        |conselho*|aconselha*|melhor|melhores|ideia|ideias|o que acha|o que você acha|opinião
        |presente|presentes|escolher|decidir|compensa|melhorar|dica|dicas|indica|indique
        """,
        Cue.TASK: """
        escreve|escreva|redige|redija|planeja|planeje|planeia|organiza|organize|cria|crie|faz um
        |faz uma|faça|monta|monte|elabora|elabore|projeta|projete|inventa|invente|imagina|imagine
        |prepara|prepare|componha|melhora|melhore|revisa|revise|reescreve|reescreva|encurta
        |mais curto|mais longo|refatora|refatore|implementa|implemente|reserva|reserve|compra
        |compre|procura|procure|encontra|encontre|ajuda|ajude|me ajuda|conta uma|conte uma
        |responde|responda|envia|envie|manda|complete|bole
        """,
        Cue.TRANSFORM: """
        traduz|traduza|traduzir|tradução|converte|converta|converter|passa .. para|passe .. para
        |corrige|corrija|corrigir|ortografia|maiúsculas|minúsculas|resume|resuma|resumir|extrai
        |extraia|extrair|ordena|ordene|ordenar|conta as|conte as|conte os|quantas palavras
        |quantos caracteres|formata|formate|codifica|codifique|decodifica|decodifique|substitui
        |substitua|remova|remove|transcreva|coloca .. em|coloque .. em|põe .. em
        """,
        Cue.CALC: """
        calcula|calcule|calcular|quanto é|quanto são|quanto dá|por cento|porcentagem|dividido
        |multiplicado|vezes|mais|menos|raiz quadrada|converte|converta|em reais|em euros
        |em dólares|quantos dias|quantas horas|dias depois|dias antes|dias faltam
        |que dia da semana|número aleatório|joga um dado|soma|some
        """,
        Cue.UNIT: """
        euro|real|libra|iene|milhas|quilômetros|quilómetros|metros|centímetros|polegadas|pés
        |libras|onças|gramas|quilos|litros|graus|hectares|segundos|minutos|horas|dias|semanas
        |meses|dólares|dólar|euros|reais|ienes|binário
        """,
        Cue.LIVE: """
        preço do|preço da|preço de|cotação|quanto tá|quanto está|quanto custa o|câmbio
        |taxa de câmbio|placar|quem ganhou|quem venceu|resultado do|resultado|voo|atraso|atrasado
        |no horário|trânsito|greve|notícias|manchetes|última versão|está aberto|está aberta
        |que horas são em|horário em|que dia é|data de hoje|nascer do sol|pôr do sol|selic
        """,
        Cue.WEATHER: """
        tempo em|previsão do tempo|previsão|chove|chover|choverá|chuva|neva|nevar|temperatura em
        |clima em|vai chover|guarda chuva|vento
        """,
        Cue.COMMAND: """
        executa|execute|roda|rode|corre|abre|abra|lista|liste|mostra|mostre|apaga|apague|exclui
        |delete|lê|leia|busca|busque|instala|instale|compila|compile|copia|copie|move|mova
        |renomeia|renomeie|reinicia|reinicie|para|pare|inicia|inicie|baixa|baixe|fecha|feche
        |repete|repita
        """,
        Cue.ARTEFACT: """
        arquivo|arquivos|ficheiro|ficheiros|pasta|diretório|testes|teste|servidor|script|comando
        |branch|processo|processos|porta|portas|logs|contêiner*|pacotes|linhas|página|link|url
        |terminal
        """,
        Cue.TIMER: """
        timer|temporizador|alarme|despertador|contagem regressiva
        """,
        Cue.DEVICE: """
        acende a|acende as|acenda a|acenda as|apaga a luz|apaga as luzes|apague a luz
        |apague as luzes|liga a|desliga a|ligue a|desligue a|aumenta o volume|abaixa o volume
        |pausa|próxima música|na lista de compras|à lista de compras|cronômetro
        """,
        Cue.WEB: """
        pesquisa na internet|pesquise na internet|pesquisa na web|pesquise na web
        |busca na internet|busque na internet|procura na internet|procure na internet|google
        """,
        Cue.ANAPHORA: """
        ele|ela|eles|elas|lhe|isso|isto|esse|essa|esses|essas|este|esta|aquele|aquela|aquilo|dele
        |dela|deles|delas|nele|nela|disso|nisso|aí|ali|lá|seu|sua|o primeiro|a primeira|o segundo
        |a segunda|o outro|a outra|os outros|o último|número 1|número 2|ambos|ambas|então|a mesma
        |o mesmo
        """,
        Cue.ELLIPSIS: """
        e|ou|mas|e se|por que não|por que|e depois|e aí|mais alguma|o que mais|quem mais|qual
        |quais|quanto|quanta|quantos|desde quando|não|então|de novo|mais curto|a semana anterior
        |o outro|a outra|e o|e a
        """,
        Cue.ARTICLE: """
        o|a|os|as|ao|do|da|no|na|dos|das|nos|nas
        """,
    },
    suffixes={Cue.SELF: ("ei", "amos", "emos", "imos")},
    suffix_exceptions="""
        anonimos antonimos brunei decimos extremos frei gramos hei intimos kilogramos legitimos
        lei maximos mimos minimos optimos otimos pompei primos proximos ramos rei remos sinonimos
        supremos taipei ultimos vamos
    """,
)
