/* SPDX-License-Identifier: Apache-2.0 */
/* admin.js — signing in at /admin. */
'use strict';

async function signIn(page, key) {
    await page.getByLabel('Admin key').fill(key);
    await page.getByRole('button', { name: 'Sign in' }).click();
}

/* The page with the view that the address names, signed in with the server's own admin key. */
async function signedIn(page, hf, view = '') {
    await page.goto(`/admin${view ? `#${view}` : ''}`);
    await signIn(page, hf.adminKey);
    await page.locator('.view .body[aria-busy=false]').waitFor();
    return page;
}

module.exports = { signIn, signedIn };
