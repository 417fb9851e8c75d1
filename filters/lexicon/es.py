"""Spanish. First persons without a pronoun are found by verb endings."""

from .model import Cue, Lexicon

LEXICON = Lexicon(
    code="es",
    stop="""
    el la los las un una unos unas lo al del de a ante con contra desde en entre hacia hasta
    para por según sin sobre tras y e o u pero si que qué como cómo cuando cuándo donde dónde
    quien quién quiénes cual cuál cuáles cuanto cuánto cuanta cuánta cuantos cuántos cuantas
    cuántas porque es son era eran fue fueron ser estar está están estaba hay había ha han he
    has hemos tiene tienen tengo tenía hace hacen hizo puede pueden puedo no sí ni más menos
    muy mucho mucha muchos muchas poco todo toda todos todas otro otra otros otras este esta
    esto estos estas ese esa eso esos esas aquel aquella yo tú él ella nosotros ellos ellas me
    te se nos le les mi mis tu tus su sus nuestro nuestra ya también tan así bien ahora luego
    entonces aquí ahí allí allá vale bueno pues favor cosa cosas decir dijo dije dime sabes
    ver va voy ir
    """,
    cues={
        Cue.SELF: """
        yo|me|mí|mi|mis|mío|mía|míos|mías|nosotros|nosotras|nos|nuestro|nuestra|nuestros|nuestras
        |conmigo|lo de siempre|como siempre|lo mismo|igual que|la última vez|la otra vez
        |la vez pasada|el otro día|como quedamos|como dijimos|te dije|te conté|te comenté
        |te mencioné|te pedí|dijiste|me dijiste|recuerdas|te acuerdas|recuerda|recuérdalo
        |acuérdate|olvida|olvídate|olvidá|a partir de ahora|de ahora en adelante|en adelante
        |llámame|tengo|tenía|tuve|tenemos|quiero|puedo|debo|voy|vamos a|fui|estoy|estaba yo|estuve
        |soy|vivo|trabajo en|salgo|llego|vengo|hago|hice|dije|puse|quise|pude|traje|vine|vi|di
        |necesito|prefiero|odio|compro|pago|sé|conozco|suelo|solía|en casa|a casa|de casa
        """,
        Cue.KIN: """
        mamá|papá|abuela|abuelo|abuelita|abuelito|tía|tío|los niños|los peques
        """,
        Cue.NEUTRAL: """
        nuestro sistema solar|nuestra galaxia|nuestro planeta|nuestra señora|padre nuestro
        |padrenuestro|vi de|siglo vi|en casa de la moneda
        """,
        Cue.FRAME: """
        dime|dígame|dame|deme|explícame|explíqueme|muéstrame|enséñame|cuéntame|puedes|podrías
        |puede|podría|me puedes decir|puedes decirme|me podrías decir|podrías decirme
        |me puedes explicar|puedes explicarme|me explicas|me dices|sabes|sabe usted|quiero saber
        |quisiera saber|me gustaría saber|me pregunto|una pregunta|tengo una pregunta
        |tengo una duda|ayúdame|ayúdame a entender|recuérdame|no entiendo
        """,
        Cue.HOWTO: """
        cómo puedo|como puedo|cómo hago|como hago|cómo se|como se|qué pasa si|cómo instalo
        |cómo salgo de|cómo borro|cómo creo|cómo sabemos|por qué tenemos|por qué vemos
        """,
        Cue.PRIVATE: """
        madre|padre|hermano|hermana|hermanos|hija|hijo|hijos|esposa|esposo|marido|mujer|cuñad*
        |sobrin*|nieto*|nieta*|prim*|suegr*|novio|novia|amigo|amiga|amigos|vecin*|compañer*|jefe
        |jefa|casero|casera|inquilin*|cliente|clientes|profesor|profesora|maestr*|entrenador*
        |médico|doctora|doctor|dentista|pediatra|terapeuta|fontanero|electricista|albañil|mecánico
        |abogad*|gestor|peluquer*|canguro|señor|señora|don|doña|piso|departamento|casa|cocina
        |jardín|garaje|terraza|oficina|trabajo|escuela|colegio|cole|guardería|club|coro|ensayo
        |reunión|reuniones|cita|citas|agenda|calendario|plazo|reserva|viaje|vacaciones|boda
        |cumpleaños|cumple|aniversario|fiesta|cena|comida del|examen|exámenes|deberes|tesis
        |proyecto|factura|presupuesto|contrato|alquiler|fianza|hipoteca|sueldo|nómina|pensión
        |ahorros|seguro|póliza|préstamo|cuenta|contraseña|clave|pin|wifi|llaves|llave|coche|carro
        |furgoneta|moto|bici|barco|caldera|lavadora|lavavajillas|impresora|perro|gato|perra|gata
        |receta|medicamento*|medicina|pastillas|alergi*|dieta|lista|paquete|pedido|entrega
        |suscripción|matrícula|número de serie|borrador|informe|documento|archivo|carpeta|mensaje
        |carta|mudanza|reforma|el nuevo|la nueva|prometi*|recomend*|mencion*|prest*|debe|debía
        |pagué|compré|invitad*
        """,
        Cue.HINT: """
        otra vez|de nuevo|todavía|aún|ya|sigue|siguen|al final|normalmente|recuérdame|era que|pues
        """,
        Cue.WHEN: """
        hoy|mañana|ayer|anoche|esta noche|esta tarde|esta mañana|esta semana|este fin de semana
        |el finde|la semana que viene|la próxima semana|el mes que viene|el próximo mes
        |el año que viene|la semana pasada|el mes pasado|el año pasado|el verano pasado
        |pasado mañana|lunes|martes|miércoles|jueves|viernes|sábado|domingo|ahora|ahora mismo
        |en este momento|actualmente|luego|pronto
        """,
        Cue.GREET: """
        hola|holi|buenas|buenos días|buen día|buenas tardes|buenas noches|hey|ey|qué tal
        |cómo estás|cómo está|cómo te va|cómo andas|qué onda|qué pasa|gracias|muchas gracias
        |mil gracias|muchísimas gracias|te lo agradezco|de nada|adiós|chao|chau|hasta luego
        |hasta mañana|hasta pronto|nos vemos|buen fin de semana|que tengas buen día|que descanses
        |cuídate|ok|okay|okey|vale|de acuerdo|entendido|entiendo|ya veo|ya|claro|perfecto|genial
        |estupendo|excelente|fantástico|increíble|maravilloso|bien|muy bien|qué bien|bueno
        |buenísimo|guay|chévere|súper|listo|hecho|eso es|exacto|cierto|correcto|tiene sentido
        |me sirve|funciona|funcionó|ya está|eso es todo|nada más|no pasa nada|sin problema
        |no gracias|no|sí|jaja|jajaja|jajajaja|jeje|jejeje|lol|wow|guau|oh|ah|ajá|hmm|perdón
        |disculpa|lo siento|bravo|buen trabajo|eres genial|eres el mejor|eres la mejor
        |me alegraste el día|me salvaste|me ha servido|me sirvió|me ayudó|me ha ayudado
        |interesante|qué interesante|estás ahí|prueba|felicidades|enhorabuena|igualmente
        """,
        Cue.PRAISE: """
        por|la|el|tu|su|ayuda|todo|muy|mucho|eres|es|fue|has|sido|de|gran|útil|buena|buen
        |explicación|respuesta|me|te|lo|y|a|ti|usted|amigo|ha|ayudado|qué|crack|también|toda
        |información
        """,
        Cue.AFFIRM: """
        sí|si|claro|claro que sí|por favor|sí por favor|adelante|hazlo|dale|ok|okay|vale
        |de acuerdo|procede|continúa|sigue|perfecto|confirmo|bueno|por supuesto|listo
        """,
        Cue.OPENER: """
        qué|que|quién|quien|quiénes|cuándo|cuando|dónde|donde|por qué|cómo|como|cuál|cual|cuáles
        |cuánto|cuanto|cuánta|cuántos|cuantos|cuántas|cuantas|es|son|hay|existe|explica|explique
        |define|defina|describe|nombra|enumera|dime|dame|explícame|compara|diferencia|significado
        |puede|pueden
        """,
        Cue.STRONG: """
        qué es un|qué es una|qué son|qué significa|que significa|que es un|que es una
        |qué quiere decir|significado de|definición|define|diferencia entre|diferencias entre
        |diferencia|quién escribió|quien escribio|quién pintó|quién compuso|quién inventó
        |quién descubrió|quién fundó|quién dirigió|en qué siglo|cuándo nació|cuándo murió
        |cuándo empezó|cuándo terminó|cuándo comenzó|cuándo se fundó|cuándo se construyó
        |cuándo se inventó|capital de|población de|autor de|autora de|símbolo de|fórmula de
        |fórmula del|punto de ebullición|plural de|sinónimo*|antónimo*|cuántos .. tiene un
        |cuántas .. tiene un|cuántos .. tiene una|cuántas .. tiene una|cuántos .. hay en
        |cuántas .. hay en|cuánto pesa un|cómo funciona|cómo funcionan|cómo se forma
        |cómo se forman|cómo se dice|cómo se escribe|cómo se pronuncia|cómo se llama el
        |por qué el cielo|por qué los|por qué las|más grande|más pequeño|más alta|más alto
        |más largo|más larga|más profund*|más antigu*|más rápid*|qué país|qué países|qué planeta
        |qué río|qué animal|qué animales|qué elemento|teorema|cuerpo humano|ley de|leyes de
        |complejidad temporal|para qué sirve|de dónde viene la palabra|a qué temperatura
        """,
        Cue.GENERAL: """
        en que año|en qué año|cuánto mide|qué altura|a qué velocidad|quién fue|cuándo fue
        |qué es el|qué es la|siglo|siglos|antigu*|medieval|edad media|guerra|batalla|tratado
        |imperio|emperador*|rey|reyes|reina|reinado|papa|presidente|constitución|república
        |revolución|dinastía|independencia|continente*|país|países|isla|océano|mar|río|lago
        |montaña*|volcán*|volcanes|desierto|planeta*|luna|sol|estrella*|galaxia*|universo|gravedad
        |velocidad de la luz|átomo*|molécula*|químic*|ácido*|oxígeno|hidrógeno|carbono|hierro|oro
        |plata|cobre|metal*|física|cuántic*|energía|fotosíntesis|célula*|adn|gen|genes|proteína*
        |bacteria*|virus|vacuna*|vitamina*|mamífero*|insecto*|ave|aves|pez|peces|pulpo*|ballena*
        |animal*|planta*|biolog*|evolución|corazón|corazones|pulmón*|hígado|riñón|cerebro|hueso*
        |músculo*|matemátic*|ecuación|número primo|triángulo|raíz cuadrada|logaritmo|probabilidad
        |estadístic*|novela|poema|poeta|autor|autora|escritor*|pintor|compositor*|sinfonía|ópera
        |película|director de|filósof*|filosof*|religión|biblia|corán|latín|griego*|roman*
        |gramátic*|subjuntivo|adjetivo|verbo|sustantivo|palabra|sigla|siglas|idioma*|lengua
        |economía|inflación|pib|interés compuesto|bono|bonos|ley|leyes|derecho|nobel|olímpic*
        |mundial|teoría|principio|efecto|concepto|algoritm*|recursi*|base de datos|bases de datos
        |protocolo|cifrado|herencia|puntero*|europa|asia|áfrica|américa|mundo|tierra|españa
        |español*|castilla|méxico|argentina|chile|perú|colombia|francia|francés|alemania|alemán
        |italia|inglaterra|inglés|rusia|china|japón|india|brasil|estados unidos|unión europea|onu
        |otan|temperatura|presión|grados|terremoto|clima|psicolog*|tradición|mitolog*|vino|queso
        |ajedrez|fuera de juego|alfabeto|moneda|bandera
        """,
        Cue.ADVICE: """
        vale la pena|merece la pena|debería|deberíamos|recomienda*|recomiénda*|sugier*|sugerencia*
        |consejo*|aconseja*|mejor|mejores|idea|ideas|qué opinas|qué te parece|opinión|regalo*
        |elegir|escoger|decidir|me conviene|conviene|mejorar|tips
        """,
        Cue.TASK: """
        escribe|escríbeme|escriba|redacta|redáctame|planea|planifica|organiza|organízame|crea
        |créame|haz|hazme|haga|diseña|inventa|imagina|prepara|propón|componme|compón|arma|ármame
        |mejora|revisa|reescribe|acorta|más corto|más corta|más largo|refactoriza|implementa
        |reserva|resérvame|compra|busca|búscame|encuentra|ayúdame|ayuda a|ayuda con|cuéntame
        |cuenta un|cuenta una|responde|contesta|envía|manda|completa|añade
        """,
        Cue.TRANSFORM: """
        traduce|traducir|traduzca|tradúceme|traduceme|traducción|convierte|convertir|convierta
        |pasa .. a|corrige|corregir|corrija|ortografía|mayúsculas|minúsculas|resume|resumir
        |resúmeme|extrae|extraer|saca .. de|ordena|ordenar|cuenta las|cuenta los|cuántas palabras
        |cuántos caracteres|formatea|codifica|decodifica|reemplaza|sustituye|elimina|quita
        |transcribe|pon .. en
        """,
        Cue.CALC: """
        calcula|calcular|calcúlame|cuánto es|cuanto es|cuánto son|cuanto son|por ciento|porcentaje
        |dividido|multiplicado|más|menos|raíz cuadrada|convierte|en euros|en dólares|en pesos
        |cuántos días|cuantos dias|cuántas horas|días después|días antes|días faltan
        |qué día de la semana|número aleatorio|tira un dado|suma|resta
        """,
        Cue.UNIT: """
        euro|peso|dólar|libra|yen|millas|milla|kilómetros|kilometros|metros|centímetros|pulgadas
        |pies|libras|onzas|gramos|kilos|kilogramos|litros|galones|grados|hectáreas|segundos
        |minutos|horas|días|semanas|meses|dólares|euros|pesos|yenes|soles|binario
        """,
        Cue.LIVE: """
        precio de|precio del|cotización|cotiza|a cuánto está|a cuanto esta|a cómo está
        |tipo de cambio|cómo va el|cómo quedó|como quedo|quién ganó|quien gano|resultado|marcador
        |vuelo|retraso|retrasado|a tiempo|tráfico|huelga|noticias|titulares|última versión
        |más reciente|está abierto|está abierta|horario de|qué hora es en|hora en|qué día es
        |fecha de hoy|amanecer|atardecer|dólar hoy|funciona el metro
        """,
        Cue.WEATHER: """
        tiempo hace|tiempo hará|el tiempo en|clima en|llueve|lloverá|llover|lluvia|nieva|nevará
        |temperatura en|pronóstico|va a llover|paraguas|viento
        """,
        Cue.COMMAND: """
        ejecuta|ejecute|corre|abre|abra|lista|muestra|muéstrame|borra|elimina|lee|busca|instala
        |compila|copia|mueve|renombra|reinicia|detén|para|inicia|descarga|vuelve a|cierra|haz
        """,
        Cue.ARTEFACT: """
        archivo|archivos|fichero|ficheros|carpeta|directorio|pruebas|tests|test|servidor|script
        |comando|rama|proceso|procesos|puerto|puertos|logs|contenedor*|paquetes|líneas|página
        |enlace|url|terminal
        """,
        Cue.TIMER: """
        temporizador|alarma|despertador|cuenta atrás
        """,
        Cue.DEVICE: """
        enciende la|enciende las|enciende el|apaga la|apaga las|apaga el|sube el volumen
        |baja el volumen|pausa|siguiente canción|a la lista de la compra|a la lista de compras
        |cronómetro
        """,
        Cue.WEB: """
        busca en internet|busca en la web|busca en google|googlea|búscalo en|consulta en internet
        """,
        Cue.ANAPHORA: """
        ella|ellos|ellas|eso|ese|esa|esos|esas|aquel|aquello|ahí|allí|allá|su|sus|suyo|suya
        |el primero|la primera|el segundo|la segunda|el otro|la otra|los otros|el último|número 1
        |número 2|ambos|ambas|entonces|la misma|el mismo
        """,
        Cue.ELLIPSIS: """
        y|o|pero|qué hay de|y si|por qué no|por qué|y luego|y después|algo más|qué más|quién más
        |cuál|cuáles|cuánto|cuánta|cuántos|desde cuándo|no|entonces|otra vez|más corto
        |la semana anterior|el otro|la otra
        """,
        Cue.ARTICLE: """
        el|la|los|las|al|del
        """,
    },
    suffixes={Cue.SELF: ("é", "amos", "emos", "imos")},
    suffix_exceptions="""
        anonimos antonimos aramos atomos ballet bebe bufe buffet cafe canape chale chimpance
        cliche cliché comite corse corsé decimos dese dinamos ese esquimos este extremos fue
        gramos intimos jose kilogramos legitimos maximos memos miligramos mimos minimos mismos noe
        ole optimos organismos panamos pate paté por-que porque programamos proximos pure que
        racimos ramos rape reclamos remos ritmos septimos sinonimos supremos te tengamos tramos
        tupe ultimos vamos
    """,
)
