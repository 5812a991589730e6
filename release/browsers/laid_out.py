"""Asks a page how its text lies: over other text, cut, beyond its box, broken; and how large it is.

Whatever scrolls may be cut at its edge, and a sheet with a ground of its own may cover what is
below it. Text in a drawing grows and shrinks with it, and is not counted.
"""

from typing import Final

from playwright.sync_api import Page

LAID: Final = r"""() => {
    const faults = new Set(), sizes = new Map(), lines = [];
    const styles = new Map();
    const style = one => {
        if (!styles.has(one)) styles.set(one, getComputedStyle(one));
        return styles.get(one);
    };
    const name = one => {
        const own = one.closest("[id]"), words = one.textContent.replace(/\s+/g, " ").trim();
        const where = own ? "#" + own.id + " " : "";
        return `${where}${one.nodeName.toLowerCase()} "${words.slice(0, 40)}"`;
    };
    const ground = one => {
        const [, alpha] = /rgba\(.*, ([\d.]+)\)/.exec(style(one).backgroundColor) || [0, 1];
        return Number(alpha) > .9 || style(one).backgroundImage !== "none";
    };
    const scrolls = kind => kind === "auto" || kind === "scroll";
    const page = style(document.body).overflowY === "hidden" ? "hidden" : "auto";

    /* What is left of a line, and whether more of it is gone than can be scrolled to. */
    function seen(one, box) {
        let [left, top, right, bottom] = [box.left, box.top, box.right, box.bottom];
        let cut = "", x = "hidden", y = page;
        for (let at = one; at && at !== document.documentElement; at = at.parentElement) {
            const has = style(at), edge = at.getBoundingClientRect();
            if (/rect\(0px/.test(has.clip) || edge.width <= 1 && edge.height <= 1) return null;
            if (at === document.body) break;
            if (has.overflowX !== "visible") {
                const lost = Math.max(edge.left - left, right - edge.right);
                if (lost > 1.5 && !scrolls(x = has.overflowX) && has.textOverflow !== "ellipsis") {
                    cut = cut || `cut by ${Math.round(lost)} px`;
                }
                left = Math.max(left, edge.left); right = Math.min(right, edge.right);
            }
            if (has.overflowY !== "visible") {
                const lost = Math.max(edge.top - top, bottom - edge.bottom);
                const whole = bottom - top;
                if (lost > .3 * whole && lost < .9 * whole && !scrolls(has.overflowY)) {
                    cut = cut || `cut by ${Math.round(lost)} px in height`;
                }
                top = Math.max(top, edge.top); bottom = Math.min(bottom, edge.bottom);
                if (scrolls(has.overflowY)) y = "auto";
            }
            if (has.position === "fixed") break;
        }
        if (right - left < 2 || bottom - top < 2) return null;
        const wide = document.body.scrollWidth > innerWidth && page !== "hidden";
        if (right > innerWidth + 1.5 && !wide) cut = cut || "beyond the right edge";
        if (left < -1.5 && right > 0) cut = cut || "beyond the left edge";
        if (right <= 0) return null;
        if (page === "hidden" && y === "hidden" && bottom > innerHeight + 2) {
            cut = cut || "beyond the lower edge";
        }
        return {left, top, right, bottom, cut};
    }

    function beyond(one, box) {
        for (let at = one; at && at !== document.body; at = at.parentElement) {
            const has = style(at);
            if (has.overflowX !== "visible") return "";
            if (has.display === "inline") continue;
            if (!ground(at) && !parseFloat(has.borderLeftWidth)) continue;
            const edge = at.getBoundingClientRect();
            const over = Math.max(edge.left - box.left, box.right - edge.right);
            return over > 1.5 ? `${Math.round(over)} px beyond its box` : "";
        }
        return "";
    }

    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    while (walk.nextNode()) {
        const node = walk.currentNode, one = node.parentElement;
        if (!node.data.trim() || one.closest("svg, template, script, style, select")) continue;
        if (!one.checkVisibility({opacityProperty: true, visibilityProperty: true})) continue;
        range.selectNodeContents(node);
        let visible = false;
        for (const box of range.getClientRects()) {
            if (box.width < 2) continue;
            const left = seen(one, box);
            if (!left) continue;
            visible = true;
            if (left.cut) faults.add(`${name(one)}: ${left.cut}`);
            const out = beyond(one, box);
            if (out) faults.add(`${name(one)}: ${out}`);
            lines.push({one, node, ...left});
        }
        if (!visible) continue;
        const px = Math.round(parseFloat(style(one).fontSize) * 10) / 10;
        if (!sizes.has(px)) sizes.set(px, name(one));
        for (const {0: word, index} of node.data.matchAll(/[^\s\-–\/\u00ad@]{2,}/g)) {
            range.setStart(node, index);
            range.setEnd(node, index + word.length);
            const parts = [...range.getClientRects()].filter(box => box.width > 1);
            const wide = parts.reduce((sum, box) => sum + box.width, 0);
            const first = parts[0];
            if (parts.some(box => box.top > first.bottom - 2) && wide < .6 * innerWidth) {
                faults.add(`${name(one)}: "${word}" is broken`);
            }
        }
    }

    /* Whether it lies on a ground of its own, above whatever else is there. */
    function own(line, other) {
        for (let at = line.one; at && !at.contains(other.one); at = at.parentElement) {
            if (ground(at)) return true;
        }
        return false;
    }
    for (const line of lines) {
        const rest = (line.bottom - line.top) * .22; // above and below its letters
        line.top += rest; line.bottom -= rest;
    }
    lines.forEach((line, place) => {
        for (const other of lines.slice(place + 1)) {
            if (other.node === line.node) continue;
            const wide = Math.min(line.right, other.right) - Math.max(line.left, other.left);
            const high = Math.min(line.bottom, other.bottom) - Math.max(line.top, other.top);
            if (wide > 2 && high > 2 && !own(line, other) && !own(other, line)) {
                faults.add(`${name(line.one)} lies over ${name(other.one)}`);
            }
        }
    });
    return [[...faults], [...sizes]];
}"""


def overlaps(page: Page) -> list[str]:
    """Return whose text lies over other text, is cut, beyond its box, or has a broken word."""
    faults, _ = page.evaluate(LAID)
    return [str(fault) for fault in faults]


def font_sizes(page: Page) -> dict[float, str]:
    """Return in which sizes there is text, in px, each with something that has it."""
    _, sizes = page.evaluate(LAID)
    return {float(px): str(text) for px, text in sizes}
