"""Portuguese."""

from .model import Terms

TERMS = Terms(
    code="pt",
    user="usuário usuária utilizador utilizadora user ele ela eu",
    lead="""
    o|a|os|as|um|uma|seu|sua|seus|suas|meu|minha|do|da|de|usuário|usuária|utilizador|utilizadora
    |mais velho|mais velha|mais novo|mais nova|caçula|melhor|novo|nova
    """,
    ceased="""
    já não|não(?=.*\\bmais\\b)|não mais|nunca mais|parou de|parou|deixou de|deixou|largou
    |cancelou|cancelado|cancelada|acabou|terminou|encerrou|encerrado|fechou|desistiu|vendeu
    |saiu d[aoe]|abandonou|pediu demissão|se separou|rompeu com
    """,
    refuted="""
    nunca (?:teve|foi|esteve|tinha)|jamais (?:teve|foi)|não é verdade|era um engano
    |foi um engano|era um erro|estava errado
    """,
    replaced="""
    em vez de|ao invés de|no lugar de|trocou|substituiu|mudou para|passou a usar|e sim|efetivada
    |efetivado
    """,
    changed="""
    agora|atualmente|hoje em dia|desde|a partir de|mudou|mudou-se|promovido|promovida|renovou
    |renovado|renovada|aumentou|aumentado|subiu|baixou|caiu|reduziu|reduzido|passou para
    |passou a|adiado|adiada|remarcado|remarcada|virou|tornou-se
    """,
    added="também|além disso|outro|outra|mais um|mais uma|começou a aprender",
    intended="""
    está pensando em|pensa em|pretende|planeja|considera|talvez|quer|gostaria|espera|sonha
    |um dia|tem vontade de|cogita
    """,
    negated="não|nem|nunca|jamais|nada|nenhum|nenhuma|sem|tampouco|evita|exceto",
    kin={
        "mother": "mãe mamãe", "father": "pai papai", "parent": "pais",
        "brother": "irmão irmãos meio-irmão", "sister": "irmã irmãs", "son": "filho",
        "daughter": "filha filhas", "child": "filhos criança crianças", "baby": "bebê bebé",
        "wife": "esposa mulher", "husband": "marido esposo",
        "partner": "namorado namorada parceiro parceira companheiro companheira noivo noiva",
        "ex": "ex ex-marido ex-mulher ex-namorado ex-namorada", "grandmother": "avó vovó",
        "grandfather": "avô vovô", "grandparent": "avós", "grandchild": "neto neta netos",
        "aunt": "tia", "uncle": "tio", "cousin": "primo prima primos", "niece": "sobrinha",
        "nephew": "sobrinho", "godchild": "afilhado afilhada", "godparent": "padrinho madrinha",
        "stepparent": "madrasta padrasto", "in_law": "sogro sogra cunhado cunhada genro nora",
        "friend": "amigo amiga amigos", "roommate": "colega_de_quarto",
        "neighbour": "vizinho vizinha vizinhos", "boss": "chefe patrão patroa",
        "colleague": "colega colegas", "landlord": "senhorio senhoria",
        "client": "cliente clientes", "teacher": "professor professora",
        "doctor": "médico médica dentista", "dog": "cachorro cachorra cão cadela",
        "cat": "gato gata gatos", "rabbit": "coelho coelhos", "horse": "cavalo",
        "bird": "papagaio", "team": "equipe equipa", "family": "família", "company": "empresa",
    },
    contrasts={
        "side": {"left": "esquerdo esquerda", "right": "direito direita"},
        "environment": {"production": "produção", "staging": "homologação staging",
                        "test": "teste testes"},
        "place": {"home": "casa apartamento", "work": "escritório trabalho", "cabin": "sítio"},
        "owner": {"private": "pessoal", "work": "profissional empresa"},
        "age": {"older": "velho velha", "younger": "novo nova caçula"},
        "order": {"first": "primeiro primeira", "second": "segundo segunda",
                  "third": "terceiro terceira"},
        "season": {"summer": "verão", "winter": "inverno"},
        "meal": {"breakfast": "café_da_manhã", "lunch": "almoço", "dinner": "jantar"},
        "vehicle": {"car": "carro", "bike": "bicicleta bike", "motorbike": "moto"},
        "device": {"laptop": "notebook laptop", "phone": "celular telefone", "tablet": "tablet"},
        "document": {"passport": "passaporte", "visa": "visto", "licence": "carteira cnh"},
    },
    months="""
    janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro
    """,
    weekdays="""
    segunda|segunda-feira|segundas terça|terça-feira|terças quarta|quarta-feira|quartas
    quinta|quinta-feira|quintas sexta|sexta-feira|sextas sábado|sábados domingo|domingos
    """,
    counts={"2": "dois duas", "3": "três", "4": "quatro", "5": "cinco", "6": "seis meia",
            "7": "sete", "8": "oito", "9": "nove", "10": "dez", "12": "doze", "20": "vinte",
            "30": "trinta", "100": "cem"},
    several="fala|toca|joga|coleciona|aprende|é alérgico a|é alérgica a|tem alergia a",
    single="""
    mora trabalha sobrenome nome apelido endereço aniversário peso altura salário idade
    """,
    billed="fatura conta boleto aluguel mensalidade",
    light="""
    quer deseja prefere gosta faz fazer tem ter vai ir usa usar pede pedir sempre muito só todos
    todas cada ano anos vez vezes receber dia dias mais vende vender mesmo
    """,
    spelling="""
    reais real r$|euros euro eur €|por_cento %|kg quilo quilos quilogramas|hora horas
    minuto minutos min|dólares dólar usd $|email e-mail|cada todos todas|fato facto
    equipe equipa|ônibus autocarro|bebê bebé|acadêmico académico|aproximadamente cerca
    """,
    same="""
    morar viver residir|trabalho emprego|carro automóvel|apartamento apto|bicicleta bike
    gostar adorar|filho filha criança|professor aula|celular telefone
    """,
    articles="o a os as um uma",
    comparing="que do de para desde até antes depois sobre entre por sem contra mas",
    reason="porque .*|por (?:motivos|causa|questões) .*|devido a.*|com a ajuda .*",
    past="""
    foi|correu|pagou|comprou|gastou|ganhou|terminou|visitou|ontem|hoje|passado|passada|fez
    """,
    verbs="é|são|está|era|foi|tem|custa|usa|pesa|vai|começa|fica|veio",
    conjunctions="e|ou|mas|enquanto|porque|com",
)  # fmt: skip
