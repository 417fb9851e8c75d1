"""Spanish."""

from .table import Table

SPANISH = Table(
    months="enero febrero marzo abril mayo junio julio agosto septiembre|setiembre octubre "
    "noviembre diciembre",
    weekdays="lunes martes miércoles jueves viernes sábado domingo",
    seasons="primavera verano otoño invierno",
    units={
        "minute": "minuto|minutos",
        "hour": "hora|horas",
        "day": "día|días",
        "week": "semana|semanas",
        "weekend": "fin_de_semana|finde|fines_de_semana",
        "month": "mes|meses",
        "quarter": "trimestre|trimestres",
        "year": "año|años|ano|anos",
        "decade": "década|décadas",
    },
    days={
        "-2": "anteayer|antier|antes_de_ayer|antes_ayer",
        "-1": "ayer",
        "0": "hoy",
        "1": "mañana",
        "2": "pasado_mañana",
    },
    last="pasado|pasada|pasados|pasadas|último|última|últimos|últimas|anterior",
    this="este|esta|estos|estas",
    next="próximo|próxima|próximos|próximas|que_viene|entrante|siguiente",
    before_last="antepasado|antepasada",
    ago="atrás",
    ago_first="hace|hacía",
    before="antes_de|antes_del|hasta|previo_a",
    after="después_de|después_del|tras",
    since="desde",
    between="entre|de_entre",
    to="a|al|hasta|-",
    and_="y|e|o|u",
    in_="en|durante",
    vague="hacia|sobre|por",
    on="el",
    the="la|los|las|del|de|lo",
    one="un|una|uno",
    numbers="dos|un_par_de|par_de tres cuatro cinco seis siete ocho nueve diez once doce trece "
    "catorce quince",
    ordinals="primer|primero|primera segundo|segunda tercer|tercero|tercera cuarto|cuarta quinto",
    few="unos|unas|pocos|pocas|varios|varias|algunos|algunas|unos_pocos|unas_pocas",
    parts="por_la_mañana|de_la_mañana tarde noche madrugada",
    tonight={"0 0": "esta_mañana|hoy_por_la_mañana", "-1 3": "anoche", "0 3": "esta_noche"},
    early="a_principios_de|principios_de|comienzos_de|inicios_de|a_principio_de",
    mid="a_mediados_de|mediados_de",
    late="a_finales_de|finales_de|a_fines_de|fines_de|final_de",
    holidays={
        "christmas": "navidad|navidades",
        "christmas eve": "nochebuena",
        "new year's eve": "nochevieja|fin_de_año",
        "new year": "año_nuevo",
        "valentine": "san_valentín",
        "halloween": "halloween",
        "easter": "semana_santa|pascua",
    },
    recently={
        30: "recientemente|últimamente|hace_poco|en_los_últimos_tiempos",
        7: "el_otro_día|otro_día",
    },
    amounts={"6 month": "medio_año"},
    numbered="página número habitación versión vuelo sala capítulo",
    common="yo tú él ella nosotros mi mis tu tus su sus qué quién dónde cuándo cómo cuál por con "
    "para no se me te le hice hizo hicimos fui fue era estaba ha he hemos que y o una un está "
    "comí dije dijo vi viajé",
)
