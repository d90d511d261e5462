/* SPDX-License-Identifier: Apache-2.0 */
/* What the types made from /openapi.json accept, and what they refuse: each line below @ts-expect-error must not
 * compile, and everything else must. Compiled by typescript.test.js, never run. */
import createClient from "openapi-fetch";
import type { components, paths } from "./holdfast.js";

const shop = createClient<paths>({ baseUrl: "http://127.0.0.1:8080" });
const hold = (body: components["schemas"]["hold_items"] | components["schemas"]["hold_resource"]) =>
    shop.POST("/v1/reservations", { body });
const [start, end] = ["2030-06-03T09:00:00Z", "2030-06-03T09:30:00Z"];

/* An item is one of five. */
hold({ items: [{ event: "e", seat: "A1" }, { event: "e", pool: "p", quantity: 2 }, { event: "e", best: { quantity: 2 } }] });
hold({ items: [{ calendar: "c", start, end }, { calendar: "c", start, service: "s" }] });
hold({ resource_id: "e/A1", attributes: { any: ["thing"] } });
// @ts-expect-error an item without anything
hold({ items: [{}] });
// @ts-expect-error a seat of no event
hold({ items: [{ seat: "A1" }] });
// @ts-expect-error a time without an end
hold({ items: [{ calendar: "c", start }] });
// @ts-expect-error a misspelt field of an item
hold({ items: [{ event: "e", seat: "A1", qantity: 1 }] });
// @ts-expect-error a misspelt field of a hold
hold({ items: [{ event: "e", seat: "A1" }], ttl_second: 60 });
// @ts-expect-error neither items nor a resource
hold({ user_id: "ann" });
// @ts-expect-error a price in words
shop.PUT("/v1/events/{event}/pools/{pool}", { params: { path: { event: "e", pool: "p" } }, body: { capacity: 1, price: "much" } });
// @ts-expect-error no such path
shop.GET("/v1/event");
// @ts-expect-error no such query parameter
shop.GET("/v1/events", { params: { query: { limits: 3 } } });

/* A confirmed reservation has an order, another one has none. */
export function orderOf(r: components["schemas"]["reservation"]): string | undefined {
    // @ts-expect-error it may be held
    r.order_id.length;
    return r.status === "confirmed" ? `${r.order_id} ${r.confirmed_at} ${r.tickets[0]?.code}` : undefined;
}
const committed = await shop.POST("/v1/reservations/{id}/commit", { params: { path: { id: "r" } } });
export const order: string | undefined = committed.data?.order_id;

/* A route has its own codes and no others. */
const extended = await shop.POST("/v1/reservations/{id}/extend", { params: { path: { id: "r" } } });
if (extended.error) {
    const { code } = extended.error;
    tell(code === "expired" || code === "slow_down");
    // @ts-expect-error nothing is taken by extending
    tell(code === "taken");
}
function tell(it: boolean): void {
    console.log(it);
}
