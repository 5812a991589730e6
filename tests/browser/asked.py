"""Asks a page whether all that its headline asks for can be seen whole, without scrolling.

What that is says the page itself: it bears `data-asked`, perhaps only in some phases, in which
`data-asked-in` may say that only what is inside counts, as where hands do it. What is offered later
bears `hidden`, or is disabled, and is not asked for yet.
"""

from typing import Final

from playwright.sync_api import Page

EDGE_PX: Final = 1.0  # pages round
UNSEEN: Final = """edge => {
    const table = document.getElementById("table");
    const phase = (/phase-([\\w-]+)/.exec(table ? table.className : "") || [])[1];
    const words = one => one.textContent.replace(/\\s+/g, " ").trim().slice(0, 30);
    const name = one => one.id ? "#" + one.id
        : `${one.nodeName.toLowerCase()}.${one.getAttribute("class") || ""} "${words(one)}"`;
    const only = [...document.querySelectorAll("[data-asked-in]")]
        .find(one => one.dataset.askedIn.split(" ").includes(phase));
    const asked = [...(only || document).querySelectorAll("[data-asked]")].filter(one => {
        const when = one.dataset.asked.split(" ").filter(Boolean);
        return (!when.length || when.includes(phase)) && !one.closest("[hidden]") && !one.disabled;
    });
    function clipped(one) {
        const seen = {left: 0, top: 0, right: innerWidth, bottom: innerHeight};
        const fixed = getComputedStyle(one).position === "fixed";
        for (let at = one.parentElement; at && !fixed; at = at.parentElement) {
            const style = getComputedStyle(at);
            if (at === document.body || at === document.documentElement) continue;
            if (/visible/.test(style.overflowX) && /visible/.test(style.overflowY)) continue;
            const box = at.getBoundingClientRect();
            seen.left = Math.max(seen.left, box.left);
            seen.top = Math.max(seen.top, box.top);
            seen.right = Math.min(seen.right, box.right);
            seen.bottom = Math.min(seen.bottom, box.bottom);
        }
        return seen;
    }
    function fault(one) {
        const box = one.getBoundingClientRect(), style = getComputedStyle(one);
        const folded = one.parentElement.closest("details:not([open])");
        if (folded && !one.closest("summary")) return "folded away";
        if (box.width < 1 || box.height < 1) return "not drawn";
        if (style.visibility !== "visible" || style.opacity === "0") return "not visible";
        const seen = clipped(one);
        const over = [seen.left - box.left, seen.top - box.top,
                      box.right - seen.right, box.bottom - seen.bottom];
        const worst = Math.max(...over);
        if (worst > edge) return Math.round(worst) + " px outside";
        const at = (x, y) =>
            document.elementFromPoint(box.left + x * box.width, box.top + y * box.height);
        const points = [[.5, .5], [.12, .5], [.88, .5], [.5, .12], [.5, .88]];
        const hits = points.map(([x, y]) => at(x, y));
        const foreign = hits.find(hit => hit && !one.contains(hit) && !hit.contains(one));
        if (foreign) return "covered by " + name(foreign);
        return "";
    }
    const keys = "#play :is([data-wish], [data-confirms]):not([hidden] *)";
    const found = [];
    if (!asked.length && document.querySelector(keys)) found.push("nothing is marked as asked for");
    const headline = document.getElementById("headline");
    for (const one of headline ? [headline, ...asked] : asked) {
        const what = fault(one);
        if (what) found.push(name(one) + ": " + what);
    }
    return found;
}"""
CHOOSE: Final = """() => {
    const open = one => !one.closest("[hidden]");
    const form = document.querySelector("form[data-moves]:has([data-confirms]:disabled)");
    if (!form) return false;
    const wizard = form.querySelector("input[name=wizard]:not(:checked)");
    if (wizard && !form.querySelector("input[name=wizard]:checked")) wizard.click();
    const needs = Number(form.dataset.needs || 0);
    [...form.querySelectorAll("input[name=portals]")].slice(0, needs).forEach(one => one.click());
    const way = [...form.querySelectorAll("input[name=way]")].filter(open)
        .find(one => !form.querySelector("input[name=way]:checked"));
    if (way) way.click();
    return !form.querySelector("[data-confirms]").disabled;
}"""


def unseen(page: Page) -> list[str]:
    """Return what is asked for now and cannot be seen whole, and why."""
    found: list[str] = page.evaluate(UNSEEN, EDGE_PX)
    return found


def chooses(page: Page) -> bool:
    """Choose what is to be confirmed, if something is, in the first way there is."""
    chosen: bool = page.evaluate(CHOOSE)
    return chosen
