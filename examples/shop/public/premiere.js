/* SPDX-License-Identifier: Apache-2.0 */
/* Whoever is let in finds the seats in place of the waiting room. */
addEventListener('admitted', ({ target }) => {
    target.hidden = true;
    document.getElementById('seats').hidden = false;
});
