/* SPDX-License-Identifier: Apache-2.0 */
/* map_gestures.js — a seat map under the hand: the mouse drags it, two fingers and Ctrl with the wheel zoom it. One finger and
 * the wheel alone scroll it, which the browser does anyway. */
const DRAG_PX = 5; /* less is a click that shakes */
const WHEEL = 200;

export class MapGestures {
    constructor(map) {
        this.map = map;
        this.root = map.root;
        this.dragged = false; /* what follows is no click */
        this.#pan();
        this.#pinch();
        this.root.addEventListener('wheel', (e) => this.#wheel(e), { passive: false });
    }

    #pan() {
        const { root } = this;
        let from = null;
        root.addEventListener('pointerdown', (e) => {
            this.dragged = false;
            if (e.pointerType === 'mouse' && e.button === 0) {
                from = { x: e.clientX, y: e.clientY, left: root.scrollLeft, top: root.scrollTop };
            }
        });
        root.addEventListener('pointermove', (e) => {
            if (!from) {
                return;
            }
            const [x, y] = [e.clientX - from.x, e.clientY - from.y];
            if (!this.dragged && Math.hypot(x, y) > DRAG_PX) {
                this.dragged = true;
                root.setPointerCapture(e.pointerId);
            }
            this.dragged && root.scrollTo(from.left - x, from.top - y);
        });
        const end = () => { from = null; };
        root.addEventListener('pointerup', end);
        root.addEventListener('pointercancel', end);
    }

    #pinch() {
        let from = null;
        const spread = ([a, b]) => Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
        this.root.addEventListener('touchstart', (e) => {
            from = e.touches.length === 2 ? { spread: spread(e.touches), scale: this.map.scale } : null;
        }, { passive: true });
        this.root.addEventListener('touchmove', (e) => {
            if (!from || e.touches.length !== 2) {
                return;
            }
            e.preventDefault();
            const [a, b] = e.touches;
            this.#zoom((from.scale * spread(e.touches)) / from.spread, (a.clientX + b.clientX) / 2, (a.clientY + b.clientY) / 2);
        }, { passive: false });
    }

    #wheel(e) {
        if (e.ctrlKey || e.metaKey) {
            e.preventDefault();
            this.#zoom(this.map.scale * Math.exp(-e.deltaY / WHEEL), e.clientX, e.clientY);
        }
    }

    /* Around a point of the window. */
    #zoom(scale, x, y) {
        const box = this.root.getBoundingClientRect();
        this.map.zoomTo(scale, x - box.left, y - box.top);
    }
}
