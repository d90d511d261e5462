/* SPDX-License-Identifier: Apache-2.0 */
/* plane.js — a town on a flat screen: points in degrees to pixels and back.
 *
 * A degree of latitude is as long everywhere, one of longitude shorter towards the poles; over a town the error of a
 * plane is far below a pixel. Longitudes are taken nearest to the middle, so the 180th meridian is no edge. */
const METRES = 111_320; /* of a degree of latitude */
const MARGIN_PX = 36;
const SPAN_LEAST_M = 400; /* one driver alone is not shown from a metre above */
const SCALES = [1e-5, 2]; /* pixels per metre: a continent, a courtyard */

export class Plane {
    constructor() {
        this.middle = { lat: 0, lng: 0 };
        this.scale = 0.1; /* pixels per metre */
        this.width = 1;
        this.height = 1;
    }

    resize(width, height) {
        Object.assign(this, { width, height });
    }

    #metres({ lat, lng }) {
        const turn = (((lng - this.middle.lng + 540) % 360) + 360) % 360 - 180;
        return [turn * METRES * Math.cos((this.middle.lat * Math.PI) / 180), (this.middle.lat - lat) * METRES];
    }

    project(point) {
        const [x, y] = this.#metres(point);
        return [this.width / 2 + x * this.scale, this.height / 2 + y * this.scale];
    }

    /* Where a pixel is, to a centimetre or so; never beyond a pole or the 180th meridian. */
    unproject(x, y) {
        const shrunk = Math.max(Math.cos((this.middle.lat * Math.PI) / 180), 1e-6);
        const lat = this.middle.lat - (y - this.height / 2) / this.scale / METRES;
        const lng = this.middle.lng + (x - this.width / 2) / this.scale / METRES / shrunk;
        const round = (value) => Math.round(value * 1e6) / 1e6;
        return { lat: round(Math.min(90, Math.max(-90, lat))), lng: round((((lng + 540) % 360) + 360) % 360 - 180) };
    }

    /* All of these on the screen, with some room around them. */
    fit(points) {
        if (!points.length) {
            return;
        }
        this.middle = points[0];
        const places = points.map((point) => this.#metres(point));
        const range = (i) => [Math.min(...places.map((one) => one[i])), Math.max(...places.map((one) => one[i]))];
        const [[left, right], [top, bottom]] = [range(0), range(1)];
        const fits = (pixels, metres) => Math.max(pixels - 2 * MARGIN_PX, MARGIN_PX) / Math.max(metres, SPAN_LEAST_M);
        const shrunk = Math.max(Math.cos((this.middle.lat * Math.PI) / 180), 1e-6);
        this.middle = { lat: this.middle.lat - (top + bottom) / 2 / METRES, lng: this.middle.lng + (left + right) / 2 / METRES / shrunk };
        this.scale = this.#within(Math.min(fits(this.width, right - left), fits(this.height, bottom - top)));
    }

    #within(scale) {
        return Math.min(SCALES[1], Math.max(SCALES[0], scale));
    }

    move(x, y) {
        this.middle = this.unproject(this.width / 2 - x, this.height / 2 - y);
    }

    /* What is at this pixel stays there. */
    zoom(factor, x = this.width / 2, y = this.height / 2) {
        const held = this.unproject(x, y);
        this.scale = this.#within(this.scale * factor);
        const [nowX, nowY] = this.project(held);
        this.move(x - nowX, y - nowY);
    }
}
