/* SPDX-License-Identifier: Apache-2.0 */
/* readings.js — /metrics, read with the admin key, which opens it also where it is closed to others. */
import { Problem } from '../../client/client.js';
import { Reading } from '../../lib/metrics.js';

export async function readMetrics(client, signal) {
    const response = await client.reach('/metrics', { signal, headers: client.headers(await client.bearer()) });
    if (!response.ok) {
        throw await Problem.of(response);
    }
    return new Reading(await response.text(), performance.now());
}
