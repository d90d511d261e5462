/* SPDX-License-Identifier: Apache-2.0 */
/* chime.js — a sound for each result, so that staff can look at people instead of the screen: up, down, or the same twice.
 *
 * A browser lets a page sound only after it was touched.
 */
const SOUNDS = { /* [Hz, from s, for s], and the wave */
    in: { wave: 'sine', notes: [[660, 0, 0.12], [990, 0.12, 0.22]] },
    refused: { wave: 'square', notes: [[220, 0, 0.22], [147, 0.22, 0.4]] },
    unchecked: { wave: 'triangle', notes: [[523, 0, 0.12], [523, 0.2, 0.12]] },
};
const SHAKES_MS = { in: [60], refused: [250, 80, 250], unchecked: [60, 80, 60] };
const VOLUME = 0.25;
const FADE_S = 0.02;

let context = null;

function note(hz, wave, from, seconds) {
    const [tone, gain] = [context.createOscillator(), context.createGain()];
    const start = context.currentTime + from;
    tone.type = wave;
    tone.frequency.value = hz;
    gain.gain.setValueAtTime(0, start);
    gain.gain.linearRampToValueAtTime(VOLUME, start + FADE_S);
    gain.gain.setValueAtTime(VOLUME, start + seconds - FADE_S);
    gain.gain.linearRampToValueAtTime(0, start + seconds);
    tone.connect(gain).connect(context.destination);
    tone.start(start);
    tone.stop(start + seconds);
}

/* To be called from a touch or a key press. */
export function wakeSound() {
    context ??= globalThis.AudioContext ? new AudioContext() : null;
    if (context?.state === 'suspended') {
        context.resume();
    }
}

export function chime(result) {
    if (context) {
        const { wave, notes } = SOUNDS[result];
        notes.forEach(([hz, from, seconds]) => note(hz, wave, from, seconds));
    }
    if (navigator.userActivation?.hasBeenActive) {
        navigator.vibrate?.(SHAKES_MS[result]);
    }
}
