"""Spanish."""

from .model import Terms

TERMS = Terms(
    code="es",
    user="usuario usuaria usuarios user él ella yo su sus le",
    lead="""
    el|la|los|las|un|una|su|sus|mi|mis|del|de|usuario|usuaria|mayor|menor|mejor|nuevo|nueva
    |pequeño|pequeña|viejo|vieja|gran
    """,
    ceased="""
    ya no|ha dejado de|dejó de|dejo de|dejado|ha dejado|dejó|no(?=.*\\bmás\\b)|ya nunca|canceló
    |cancelado|ha terminado|terminó|se acabó|ha acabado|abandonó|abandonado|renunció|vendió
    |ha vendido|se dio de baja|dado de baja|cerró|ha cerrado|se separó|rompió con|ha finalizado
    |finalizó
    """,
    refuted="""
    nunca (?:ha|tuvo|fue|estuvo)|nunca tuvo|jamás (?:ha|tuvo|fue)|no es cierto|era un error
    |fue un error|no era verdad|es falso
    """,
    replaced="""
    en vez de|en lugar de|en su lugar|cambió a|ha cambiado a|se cambió a|se pasó a
    |se ha pasado a|sustituyó|reemplazó|sino|prefiere ahora
    """,
    changed="""
    ahora|actualmente|desde|a partir de|se mudó|se ha mudado|ascendido|ascendida|renovado|renovó
    |subió|ha subido|bajó|ha bajado|aumentó|ha aumentado|redujo|ha reducido|reducido|aumentado
    |cambiado|cambió|pasó a|ha pasado a|pospuesto|aplazado|trasladado|amplió|ampliado
    """,
    added="también|además|otro|otra|asimismo|ha empezado a aprender|hace poco empezó",
    intended="""
    está pensando en|piensa en|planea|considera|está considerando|quizá|quizás|tal vez|quiere
    |le gustaría|espera poder|sueña con|tiene pensado|algún día|se plantea
    """,
    negated="no|ni|nunca|jamás|nada|ningún|ninguno|ninguna|sin|tampoco|evita|excepto|salvo",
    kin={
        "mother": "madre mamá", "father": "padre papá", "parent": "padres",
        "brother": "hermano hermanastro", "sister": "hermana hermanastra", "sibling": "hermanos",
        "son": "hijo", "daughter": "hija", "child": "hijos niños", "baby": "bebé",
        "wife": "esposa mujer", "husband": "marido esposo", "partner": "pareja novio novia",
        "ex": "ex exmarido exmujer exnovio exnovia", "grandmother": "abuela",
        "grandfather": "abuelo", "grandparent": "abuelos", "grandchild": "nieto nieta nietos",
        "aunt": "tía", "uncle": "tío", "cousin": "primo prima primos", "niece": "sobrina",
        "nephew": "sobrino", "godchild": "ahijado ahijada", "godparent": "padrino madrina",
        "stepparent": "madrastra padrastro",
        "in_law": "suegro suegra cuñado cuñada suegros yerno nuera",
        "friend": "amigo amiga amigos", "roommate": "compañero_de_piso compañera_de_piso",
        "neighbour": "vecino vecina vecinos", "boss": "jefe jefa",
        "colleague": "colega compañero compañera", "landlord": "casero casera",
        "client": "cliente clienta", "teacher": "profesor profesora", "doctor": "médico médica",
        "dog": "perro perra perros cachorro", "cat": "gato gata gatos", "rabbit": "conejo conejos",
        "horse": "caballo", "bird": "loro", "team": "equipo", "family": "familia",
        "company": "empresa",
    },
    contrasts={
        "side": {"left": "izquierdo izquierda", "right": "derecho derecha"},
        "environment": {"production": "producción", "staging": "staging preproducción",
                        "test": "pruebas"},
        "place": {"home": "casa piso", "work": "oficina trabajo", "cabin": "pueblo"},
        "owner": {"private": "personal", "work": "laboral empresa"},
        "age": {"older": "mayor", "younger": "menor pequeño pequeña"},
        "order": {"first": "primer primero primera", "second": "segundo segunda",
                  "third": "tercer tercero tercera"},
        "season": {"summer": "verano", "winter": "invierno"},
        "meal": {"breakfast": "desayuno", "lunch": "comida almuerzo", "dinner": "cena"},
        "vehicle": {"car": "coche carro", "bike": "bici bicicleta", "motorbike": "moto"},
        "device": {"laptop": "portátil", "phone": "móvil teléfono", "tablet": "tableta"},
        "document": {"passport": "pasaporte", "visa": "visado visa", "licence": "carné licencia"},
    },
    months="""
    enero febrero marzo abril mayo junio julio agosto septiembre|setiembre octubre noviembre
    diciembre
    """,
    weekdays="lunes martes miércoles jueves viernes sábado|sábados domingo|domingos",
    counts={"2": "dos", "3": "tres", "4": "cuatro", "5": "cinco", "6": "seis", "7": "siete",
            "8": "ocho", "9": "nueve", "10": "diez", "11": "once", "12": "doce", "20": "veinte",
            "30": "treinta", "100": "cien"},
    several="habla|toca|juega|colecciona|aprende|es alérgico a|es alérgica a|tiene alergia a",
    single="vive trabaja apellido nombre apodo dirección cumpleaños peso altura sueldo edad",
    billed="factura recibo alquiler nómina cuota",
    light="""
    quiere desea prefiere gusta hace hacer tiene tener va ir usa usar usuario pide pedir siempre
    muy solo todos todas cada ya año años vez veces poder recibir día días más
    """,
    spelling="""
    septiembre setiembre|euros euro eur €|kg kilo kilos kilogramos|por_ciento %
    dólares dólar usd $|hora horas|minuto minutos min|cada todos todas|sólo solo
    aproximadamente aprox|correo email e-mail|vídeo video|fútbol futbol
    """,
    same="""
    vivir residir|trabajo empleo|coche carro auto|piso apartamento|profesor profe maestro clase
    matemáticas mates|gustar encantar|bici bicicleta|móvil teléfono|instituto secundaria
    moto vespa|novio novia pareja
    """,
    articles="el la los las un una",
    comparing="que de a desde hasta antes después sobre entre para por sin contra pero",
    reason="porque .*|por (?:motivos|razones) .*|debido a .*|a causa de .*|con ayuda de .*",
    past="fue|corrió|pagó|compró|gastó|ganó|terminó|visitó|ayer|hoy|pasado|pasada|hizo",
    verbs="es|está|son|era|fue|tiene|cuesta|usa|necesita|pesa|va|empieza|sube",
    conjunctions="y|e|o|pero|sino|mientras|porque|con",
)  # fmt: skip
