"""English."""

from .table import Table

ENGLISH = Table(
    months="january february - - - - july - september october november december",
    weak_months="jan feb mar|march apr|april may jun|june jul aug|august sep|sept oct nov dec",
    weekdays="monday tuesday wednesday thursday friday saturday sunday",
    weak_weekdays="mon tue|tues wed thu|thur|thurs fri sat sun",
    capitals=True,
    seasons="- summer autumn winter",
    weak_seasons="spring - fall -",
    units={
        "second": "second|seconds",
        "minute": "minute|minutes|min|mins",
        "hour": "hour|hours",
        "day": "day|days",
        "week": "week|weeks|wk",
        "weekend": "weekend|week_end",
        "month": "month|months",
        "quarter": "quarter|quarters",
        "year": "year|years|yr|yrs",
        "decade": "decade|decades",
    },
    days={
        "-2": "day_before_yesterday",
        "-1": "yesterday|yday",
        "0": "today|earlier_today|later_today",
        "1": "tomorrow|tmrw|tomorow",
        "2": "day_after_tomorrow",
    },
    last="last|previous",
    this="this|current",
    next="next|coming|upcoming|this_coming",
    before_last="last_but_one",
    past="past|in_the_last|over_the_last|within_the_last|during_the_last|for_the_last",
    ahead="from_now|from_today|hence",
    ago="ago|back|earlier",
    before="before|until|till|prior_to|up_to|by_the_end_of",
    after="after",
    since="since|ever_since",
    between="between|from",
    to="to|through|thru|until|till|-",
    and_="and|or",
    in_="in|during|throughout|as_of|back_in|month_of",
    vague="over|around|about|by|within",
    on="on|at",
    the="the|of|s",
    one="a|an|one|about_a|about_an",
    numbers="two|a_couple_of|a_couple|couple_of|couple three four five six seven eight nine ten "
    "eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty",
    ordinals="first second third fourth fifth sixth seventh eighth ninth tenth",
    few="few|a_few|several|some|many",
    parts="morning|mornings afternoon evening night",
    tonight={
        "0 3": "tonight",
        "-1 3": "last_night",
        "-2 3": "night_before_last",
        "-1 2": "last_evening",
    },
    early="early|beginning|start|the_beginning_of|the_start_of",
    mid="mid|middle|the_middle_of|halfway_through",
    late="late|end|the_end_of",
    holidays={
        "christmas": "christmas|xmas",
        "christmas eve": "christmas_eve",
        "new year's eve": "new_year's_eve|new_years_eve|nye",
        "new year": "new_year's_day|new_years_day|new_year's|new_year",
        "valentine": "valentine's_day|valentines_day|valentine's",
        "halloween": "halloween",
        "easter": "easter",
        "thanksgiving": "thanksgiving",
    },
    recently={30: "recently|lately|these_days|of_late", 7: "the_other_day|other_day"},
    amounts={"6 month": "half_a_year", "14 day": "a_fortnight|fortnight"},
    numbered="route room highway interstate windows model version v page number no flight "
    "apartment apt box bus chapter step line code pin extension gate platform "
    "hotel office suite area level channel section figure table issue ticket order "
    "invoice id ps size",
    common="i you he she it we they my your his her our their did do does was were is are have has "
    "had will what who where when which why how that with to me for not would could should be been "
    "go went tell said about",
)
