/* SPDX-License-Identifier: Apache-2.0 */
/* camera.js — reads QR codes from a camera: by the browser's own BarcodeDetector, or by the package `qr`. */
const PAUSE_MS = 100; /* between two looks */
const SAME_MS = 3_000; /* a code that stays in view is read once */
const SIDE_MAX = 800; /* pixels: more take longer and show nothing more of a code that fills the frame */

/* Browsers give cameras to pages that came by HTTPS, or from this very machine. */
export const cameraAllowed = () => globalThis.isSecureContext && Boolean(navigator.mediaDevices?.getUserMedia);

async function byDetector() {
    const formats = await globalThis.BarcodeDetector?.getSupportedFormats().catch(() => []);
    if (!formats?.includes('qr_code')) {
        return null;
    }
    const detector = new globalThis.BarcodeDetector({ formats: ['qr_code'] });
    return async (video) => {
        const found = await detector.detect(video).catch(() => []); /* no picture yet */
        return found[0]?.rawValue ?? null;
    };
}

async function byPackage() {
    const { decodeQR } = await import('../vendor/qr/decode.js');
    const canvas = document.createElement('canvas');
    const context = canvas.getContext('2d', { willReadFrequently: true });
    return (video) => {
        const scale = Math.min(1, SIDE_MAX / Math.max(video.videoWidth, video.videoHeight));
        const [width, height] = [video.videoWidth, video.videoHeight].map((side) => Math.round(side * scale));
        Object.assign(canvas, { width, height });
        context.drawImage(video, 0, 0, width, height);
        try {
            return decodeQR(context.getImageData(0, 0, width, height));
        } catch {
            return null; /* nothing in view */
        }
    };
}

let reader = null;
/* Loads what reads; worth doing while there is a network. */
export function loadReader() {
    reader ??= byDetector().then((found) => found ?? byPackage());
    reader.catch(() => (reader = null)); /* the next one tries again */
    return reader;
}

export class Camera {
    #stream = null;
    #awake = null; /* the screen does not go dark while it looks */
    #last = { text: null, at: 0 };

    /* onText(text): once for each code that comes into view. onEnd(): something else has taken the camera. */
    constructor(onText, onEnd) {
        Object.assign(this, { onText, onEnd });
    }

    /* Throws what the browser refuses: NotAllowedError, NotFoundError, … */
    async start(video) {
        const read = await loadReader();
        this.#stream = await navigator.mediaDevices.getUserMedia({
            audio: false, video: { facingMode: 'environment', width: { ideal: 1280 }, height: { ideal: 720 } },
        });
        this.#stream.getVideoTracks()[0].addEventListener('ended', () => { this.stop(); this.onEnd(); });
        video.srcObject = this.#stream;
        await video.play();
        this.#awake = await navigator.wakeLock?.request('screen').catch(() => null);
        this.#look(video, read, this.#stream);
    }

    stop() {
        this.#stream?.getTracks().forEach((track) => track.stop());
        this.#stream = null;
        this.#awake?.release();
        this.#awake = null;
    }

    async #look(video, read, stream) {
        while (this.#stream === stream && stream.active) {
            if (document.visibilityState === 'visible' && video.videoWidth > 0) {
                this.#saw(await read(video));
            }
            await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
        }
    }

    #saw(text) {
        const now = performance.now();
        if (!text || (text === this.#last.text && now - this.#last.at < SAME_MS)) {
            this.#last.at = text ? now : this.#last.at;
            return;
        }
        this.#last = { text, at: now };
        this.onText(text);
    }
}
