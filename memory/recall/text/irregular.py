"""Irregular English verbs and plurals."""

from __future__ import annotations

_VERBS = """
arise arose arisen|awake awoke awoken|bear borne|beat beaten|become became|begin began begun
|bend bent|bet|bite bitten|bleed bled|blow blew blown|break broke broken|breed bred
|bring brought|build built|burn burnt|buy bought|catch caught|choose chose chosen|cling clung
|come came|creep crept|deal dealt|dig dug|draw drew drawn|dream dreamt
|drink drank drunk|drive drove driven|eat ate eaten|fall fell fallen|feed fed|feel felt
|fight fought|find found|flee fled|fling flung|fly flew flown|forbid forbade forbidden
|forget forgot forgotten|forgive forgave forgiven|freeze froze frozen|get got gotten
|give gave given|go went gone|grow grew grown|hang hung|have had has|hear heard
|hide hid hidden|hold held|keep kept|kneel knelt|know knew known|lay laid|lead led|lean leant
|leap leapt|learn learnt|leave left|lend lent|lie lain|light lit|lose lost|make made|mean meant
|meet met|mistake mistook mistaken|overcome overcame|pay paid|prove proven|ride rode ridden
|ring rang rung|rise risen|run ran|say said|see saw seen|seek sought|sell sold|send sent
|sew sewn|shake shook shaken|shine shone|show shown|shrink shrank shrunk
|sing sang sung|sink sank sunk|sit sat|sleep slept|slide slid|sling slung|sow sown
|speak spoke spoken|speed sped|spell spelt|spend spent|spill spilt|spin spun|spit spat
|spring sprang sprung|stand stood|steal stole stolen|stick stuck|sting stung|stink stank stunk
|strike struck|strive strove striven|swear swore sworn|sweep swept|swell swollen
|swim swam swum|swing swung|take took taken|teach taught|tear tore torn|tell told
|think thought|throw threw thrown|understand understood|undertake undertook undertaken
|wake woke woken|wear wore worn|weave wove woven|weep wept|win won
|withdraw withdrew withdrawn|write wrote written|rewrite rewrote rewritten
|redo redid redone|babysit babysat|oversleep overslept|overhear overheard
|misunderstand misunderstood|foresee foresaw foreseen|withhold withheld|mislead misled
|undergo underwent undergone|outgrow outgrew outgrown|rebuild rebuilt|resell resold
"""
_NOUNS = """
child children|person people|man men|woman women|foot feet|tooth teeth|mouse mice|goose geese
|wife wives|knife knives|half halves|shelf shelves|wolf wolves
|loaf loaves|thief thieves|calf calves|scarf scarves|self selves|grandchild grandchildren
|stepchild stepchildren|godchild godchildren|cactus cacti|fungus fungi|alumnus alumni
|criterion criteria|phenomenon phenomena|bacterium bacteria|ox oxen
|policeman policemen|fireman firemen|businesswoman businesswomen|businessman businessmen
"""


def _table(groups: str) -> dict[str, str]:
    rows = [group.split() for group in groups.split("|")]
    return {form: row[0] for row in rows for form in row[1:]}


IRREGULAR = _table(_VERBS) | _table(_NOUNS)
"""Form to base form. A form of two verbs maps to the more common one ("found" to "find"). A form
that is as common as another word is left out ("lives", "leaves", "bit", "rose")."""
