/* SPDX-License-Identifier: Apache-2.0 */
/* Admitted visitors get the seats in place of the waiting room. */
addEventListener('admitted', ({ target }) => {
    target.hidden = true;
    document.getElementById('seats').hidden = false;
});
