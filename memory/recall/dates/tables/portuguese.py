"""Portuguese."""

from .table import Table

PORTUGUESE = Table(
    months="janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro "
    "dezembro",
    weekdays="segunda-feira|segunda_feira terça-feira|terça_feira|terça quarta-feira|quarta_feira "
    "quinta-feira|quinta_feira sexta-feira|sexta_feira sábado domingo",
    weak_weekdays="segunda - quarta quinta sexta - -",
    seasons="primavera verão outono inverno",
    units={
        "minute": "minuto|minutos",
        "hour": "hora|horas",
        "day": "dia|dias",
        "week": "semana|semanas",
        "weekend": "fim_de_semana|fim-de-semana|fins_de_semana|final_de_semana",
        "month": "mês|meses",
        "quarter": "trimestre|trimestres",
        "year": "ano|anos",
        "decade": "década|décadas",
    },
    days={
        "-2": "anteontem|antes_de_ontem",
        "-1": "ontem",
        "0": "hoje",
        "1": "amanhã",
        "2": "depois_de_amanhã",
    },
    last="passado|passada|passados|passadas|último|última|últimos|últimas|anterior",
    this="este|esta|estes|estas|neste|nesta|esse|essa|nesse|nessa|deste|desta",
    next="próximo|próxima|próximos|próximas|que_vem|seguinte",
    before_last="retrasado|retrasada",
    ago="atrás",
    ago_first="há|faz|fazem",
    before="antes_de|antes_do|antes_da|até",
    after="depois_de|depois_do|depois_da|após",
    since="desde|a_partir_de",
    between="entre",
    to="a|até|-",
    and_="e|ou",
    in_="em|no|na|durante|nos|nas",
    vague="por_volta_de|sobre|pela|por",
    on="no_dia",
    the="o|os|as|do|da|dos|das|de|à|ao",
    one="um|uma",
    numbers="dois|duas|um_par_de|par_de três quatro cinco seis sete oito nove dez onze doze treze "
    "catorze|quatorze quinze",
    ordinals="primeiro|primeira segundo|segunda terceiro|terceira quarto|quarta quinto|quinta",
    few="alguns|algumas|poucos|poucas|vários|várias|uns|umas",
    parts="manhã tarde noite madrugada",
    tonight={"-1 3": "ontem_à_noite|noite_passada", "0 3": "hoje_à_noite|esta_noite"},
    early="início_de|começo_de|no_início_de|princípio_de|início_do|começo_do",
    mid="meados_de|em_meados_de|meio_de",
    late="final_de|fim_de|no_final_de|fins_de|final_do|fim_do",
    holidays={
        "christmas": "natal",
        "christmas eve": "véspera_de_natal",
        "new year's eve": "réveillon|véspera_de_ano_novo",
        "new year": "ano_novo",
        "valentine": "são_valentim",
        "halloween": "halloween|dia_das_bruxas",
        "easter": "páscoa",
    },
    recently={
        30: "recentemente|ultimamente|há_pouco_tempo|nos_últimos_tempos",
        7: "outro_dia|outro_dia_mesmo",
    },
    amounts={"6 month": "meio_ano"},
    numbered="página número quarto versão voo sala capítulo",
    common="eu tu você ele ela nós meu minha meus minhas seu sua que quem onde quando como qual "
    "por com para não se me te fiz fez fizemos fui foi era estava tenho tem uma um está disse vi "
    "viajei comi fizeram",
)
