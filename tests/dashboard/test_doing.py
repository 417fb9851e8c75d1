"""What a reader does on the pages, without a mouse where that matters."""

from tests.dashboard.browser import IN_BROWSER, opened, shown
from tests.dashboard.fake_api import serving
from tests.dashboard.full import ANSWERED, FULL, memory
from tests.support.waiting import until

pytestmark = IN_BROWSER
RECEIPT = {"id": "r1", "kind": "ids", "verified": True, "erased": {"memories": 1, "history": 2}}
FORGET = {"POST /v1/memories/forget": RECEIPT}
IN_LIST = "document.activeElement.classList.contains('list')"


async def test_a_memory_is_forgotten_with_a_receipt_and_the_focus_stays_in_the_list():
    """Asked first; afterwards a keyboard goes on where it was. Escape sends nothing."""
    async with (
        serving(FULL | FORGET) as url,
        opened(f"{url}/dashboard#/person?user=ada") as (page, wrong),
    ):
        await page.get_by_role("button", name="Forget", exact=True).first.press("Enter")
        await page.get_by_text("It cannot be undone.").first.wait_for()
        await page.keyboard.press("Escape")
        assert await page.evaluate("document.activeElement.textContent") == "Forget"
        await page.get_by_role("button", name="Forget", exact=True).first.click()
        await page.get_by_role("button", name="Forget for ever").click()
        await page.get_by_text("Erased, and no longer found.").wait_for()
        assert await page.evaluate("document.activeElement.className") == "receipt"
        assert "1 memories, 2 history" in await page.inner_text(".receipt")
        await page.get_by_role("button", name="Done").click()
        assert await page.evaluate(IN_LIST)
        assert wrong == []


async def test_everything_of_a_person_is_forgotten_once_the_name_is_typed():
    """Another name sends nothing."""
    async with (
        serving(FULL | FORGET) as url,
        opened(f"{url}/dashboard#/person?user=ada") as (page, _),
    ):
        await page.get_by_text("Forget everything of this person").click()
        button = page.get_by_role("button", name="Forget everything for ever")
        name = page.get_by_label("Type the user's name")
        await name.fill("eve")
        assert await button.is_disabled()
        await name.fill("ada")
        await button.click()
        await page.get_by_text("Erased, and no longer found.").wait_for()


async def test_topics_are_read_without_seeing_the_picture():
    """The arrow keys read them out; below, each opens its memories and what it is connected with."""
    async with serving(FULL) as url, opened(f"{url}/dashboard#/graph?user=ada") as (page, wrong):
        await page.get_by_text("Drawn are the 2 largest.").wait_for()
        await page.get_by_role("application").focus()
        await page.keyboard.press("ArrowRight")
        await page.locator("#at", has_text="connected with 1 topic").wait_for()
        await page.get_by_role("button", name="Memories").first.press("Enter")
        await page.get_by_text("recalled together for 3 messages").wait_for()
        await page.get_by_text("Ada buys green tea").wait_for()
        assert await page.locator("svg circle").count() == 3
        assert await page.locator("svg line").count() == 2
        assert "lives in" in await page.inner_text("table")
        assert wrong == []


async def test_the_arrow_keys_move_between_the_points_of_the_map():
    """What is chosen is read out below, and Enter opens it."""
    async with serving(FULL) as url, opened(f"{url}/dashboard#/map?user=ada") as (page, wrong):
        await page.get_by_role("application").focus()
        for key, said in (("ArrowRight", "Ada has m1"), ("ArrowRight", "Ada has m2"),
                          ("ArrowLeft", "Ada has m1")):  # fmt: skip
            await page.keyboard.press(key)
            await page.locator("#at", has_text=said).wait_for()
        await page.keyboard.press("Enter")
        await page.get_by_text("All of this person").wait_for()
        assert "id=m1" in page.url
        assert wrong == []


async def test_the_model_is_asked_only_when_somebody_says_so():
    """With the number of calls before, and which line changed the answer after."""
    found = {
        "base": "Tea.", "again": None, "steady": True, "calls": 3, "tokens": 90, "not_tried": [],
        "without": [{"memory_id": "m1", "memory": "Ada has fact number 1", "answer": "Milk.",
                     "same": False, "distance": 0.5}],
    }  # fmt: skip
    answers = FULL | {"POST /v1/memories/whatif": found}
    async with serving(answers) as url, opened(f"{url}/dashboard") as (page, wrong):
        await shown(page, "playground?user=ada&q=tea")
        assert await page.get_by_label("Most calls").input_value() == "3"
        assert await page.get_by_text("changed the answer").count() == 0
        await page.get_by_label("Model", exact=True).fill("m")
        await page.get_by_role("button", name="Ask the model").click()
        await page.get_by_text("1 line of 1 changed the answer.").wait_for()
        await page.get_by_text("Milk.").wait_for()
        assert wrong == []


async def test_was_this_right_is_answered_and_undone_from_the_keyboard():
    """Beside each line that was used, on Live and in the Playground, with the question it was for.

    One press answers and one takes it back; the focus stays on the button.
    """
    told = {"POST /v1/memories/m1/feedback": {"feedback_id": "f1"},
            "POST /v1/memories/m1/feedback/undo": {"feedback_id": "f1"}}  # fmt: skip
    sent = []
    async with (
        serving(FULL | told) as url,
        opened(f"{url}/dashboard") as (page, wrong),
    ):
        page.on("request", lambda each: sent.append(each) if each.method == "POST" else None)
        for path, asked in (
            ("live", {"conversation": "5a6b7c8d"}),
            ("playground?user=ada&q=Which tea%3F", {"question": "Which tea?"}),
        ):
            await shown(page, path)
            for word, label in (("not_now", "not now"), ("wrong", "wrong")):
                sent.clear()
                # Exact: "Undo wrong: …" has the name of "wrong: …" in it.
                answer = page.get_by_role(
                    "button", name=f"{label}: Ada has fact number 1", exact=True
                )
                await answer.press("Enter")
                await page.get_by_role("button", name=f"Undo {label}").wait_for()
                assert await page.get_by_role("button", name="right: Ada has").is_disabled()
                assert await page.evaluate("document.activeElement.textContent") == f"Undo {label}"
                await page.keyboard.press("Enter")
                await answer.wait_for()
                more = asked if word == "not_now" else {}
                assert [each.post_data_json for each in sent] == [
                    {"feedback": word, "user_id": "ada"} | more,
                    {"feedback_id": "f1", "user_id": "ada"},
                ]
        assert wrong == []


async def test_what_was_not_wanted_for_a_question_is_given_again():
    """On the page of the memory, long after: one press undoes each of these answers."""
    told = {"POST /v1/memories/m1/feedback/undo": {"feedback_id": "f1"}}
    sent = []
    async with (
        serving(FULL | told) as url,
        opened(f"{url}/dashboard#/person?user=ada&id=m1") as (page, wrong),
    ):
        page.on("request", lambda each: sent.append(each) if each.method == "POST" else None)
        await page.get_by_text("Not given for 2 questions").wait_for()
        await page.get_by_role("button", name="Give it again").press("Enter")
        await until(lambda: len(sent) == len(["f1", "f2"]), "both")
        assert [each.post_data_json["feedback_id"] for each in sent] == ["f1", "f2"]
        assert wrong == []


async def test_a_chat_is_had_without_a_mouse_and_a_refusal_stands_where_it_was_asked():
    """With the model's key and the whole conversation, under the policy of the page.

    What was refused is asked again, and is no part of what is told next. The key goes to the model's
    route alone.
    """
    refused = (401, {"error": {"message": "Incorrect <b>key</b>"}})
    answers = FULL | {"POST /v1/chat/completions": refused}
    sent = []
    async with serving(answers) as url, opened(f"{url}/dashboard#/chat?user=ada") as (page, wrong):
        page.on("request", lambda each: sent.append(each) or None)
        await page.get_by_label("User").focus()
        for text in ("m", "sk-1", " ", "Which tea?"):
            await page.keyboard.press("Tab")
            await page.keyboard.type(text)
        await page.keyboard.press("Enter")
        await page.get_by_text("Incorrect <b>key</b>").wait_for()
        assert await page.evaluate("document.activeElement.name") == "message"
        answers |= ANSWERED  # served from now on
        for text in ("Which tea, then?", "Sure?"):
            before = await page.locator(".answer").count()
            await page.keyboard.type(text)
            await page.keyboard.press("Enter")
            await page.locator(".answer").nth(before).wait_for()
        *_, last = [one for one in sent if one.method == "POST"]
        assert [each["content"] for each in last.post_data_json["messages"]] == [
            "Which tea, then?", "Green tea.", "Sure?",
        ]  # fmt: skip
        headers = await last.all_headers()
        assert headers["authorization"] == "Bearer sk-1"
        assert (headers["x-recollect-user"], headers["x-recollect-memory"]) == ("ada", "read")
        others = [await one.all_headers() for one in sent if one.method == "GET"]
        assert "sk-1" not in str(others) + page.url
        assert [each for each in wrong if "401" not in each] == []


async def test_a_newcomer_finds_a_person_what_is_known_and_how_to_erase_it():
    """From the first page with links and buttons alone."""
    async with serving(FULL) as url, opened(f"{url}/dashboard") as (page, wrong):
        await page.get_by_role("link", name="ada").click()
        await page.get_by_text("Ada has fact number 1").first.wait_for()
        await page.get_by_role("button", name="Forget", exact=True).first.wait_for()
        await page.get_by_role("link", name="What would a chat be given?").click()
        await page.get_by_label("Message").fill("Which tea?")
        await page.get_by_role("button", name="Explain").click()
        await page.get_by_text("answers the message").wait_for()
        await page.get_by_text("too little speaks for it").wait_for()
        assert wrong == []


async def test_a_memory_is_denied_with_a_reason_and_a_version_returned_to():
    """Each change names the version that was shown, so that nobody else is overruled."""
    asked = []
    answers = FULL | {"POST /v1/memories/m1/invalidate": {}, "POST /v1/memories/m1/revert": {}}
    async with (
        serving(answers) as url,
        opened(f"{url}/dashboard#/person?user=ada") as (page, wrong),
    ):
        page.on("request", lambda each: each.method == "POST" and asked.append(each))
        await page.get_by_role("button", name="Not true").first.click()
        await page.get_by_label("Why is it not true?").fill("a joke")
        await page.get_by_label("Until when it was").fill("2026-01-02")
        await page.get_by_role("button", name="It is not true").click()
        # Playwright would poll in the page, where the policy forbids to evaluate a text.
        await until(lambda: page.evaluate(IN_LIST))
        await page.get_by_role("button", name="History").first.click()
        await page.get_by_text("you said: taken back at version 2").wait_for()
        await page.get_by_role("button", name="Return to version 1").click()
        await until(lambda: page.evaluate(IN_LIST))
        denied, reverted = asked
        told = {"reason": "a joke", "valid_to": "2026-01-02", "user_id": "ada"}
        assert denied.post_data_json == told
        assert reverted.post_data_json == {"version": 1, "user_id": "ada"}
        assert {each.headers["if-match"] for each in asked} == {'"2"'}
        assert wrong == []


async def test_a_run_of_upkeep_is_read_and_taken_back():
    """With the texts before and after, and what was left because somebody changed it since."""
    done = {
        "run": {},
        "undone": 1,
        "already": False,
        "kept": [{"id": "m3", "why": "changed since"}],
    }
    answers = FULL | {"POST /v1/memories/upkeep/r1/undo": done}
    async with serving(answers) as url, opened(f"{url}/dashboard#/upkeep") as (page, wrong):
        await page.get_by_text("merged 2").first.wait_for()
        await page.get_by_role("button", name="Changes").first.click()
        await page.get_by_text("Ada has fact one").wait_for()
        assert await page.get_by_role("button", name="Undo").count() == 1
        await page.get_by_role("button", name="Undo").click()
        await page.get_by_text("Taken back: 1 memory as before.").wait_for()
        await page.get_by_text("changed since").wait_for()
        await page.get_by_role("button", name="Done").click()
        await until(lambda: page.evaluate(IN_LIST))
        assert wrong == []


async def test_what_waits_is_judged_by_keyboard_and_a_refusal_is_undone():
    """Each decision is one key; afterwards the focus is in the list. Escape leaves an edit."""
    sent = {"POST /v1/memories/m2/review": memory(2), "POST /v1/memories/m2/revert": memory(2)}
    async with (
        serving(FULL | sent) as url,
        opened(f"{url}/dashboard#/review?user=ada") as (page, wrong),
    ):
        await page.get_by_text("it waited too long").wait_for()
        for name, told in (("Keep", "Kept:"), ("Refuse", "Refused:"), ("Never again", "for good")):
            async with page.expect_request("**/m2/review") as asked:
                await page.get_by_role("button", name=name).first.press("Enter")
            decision = (await asked.value).post_data_json["decision"]
            assert decision == name.lower().replace(" ", "_")
            await page.get_by_role("status").get_by_text(told).wait_for()
            assert await page.evaluate(IN_LIST)
        async with page.expect_request("**/m2/revert"):
            await page.get_by_role("button", name="Undo").press("Enter")
        await page.get_by_text("Refused for good").wait_for(state="detached")
        await page.get_by_role("button", name="Edit").first.press("Enter")
        await page.keyboard.press("Escape")
        assert await page.evaluate("document.activeElement.textContent") == "Edit"
        await page.get_by_role("button", name="Edit").first.press("Enter")
        await page.get_by_label("Text").fill("Ada has something else")
        async with page.expect_request("**/m2/review") as asked:
            await page.get_by_role("button", name="Save and keep").press("Enter")
        assert (await asked.value).post_data_json["text"] == "Ada has something else"
        assert wrong == []
