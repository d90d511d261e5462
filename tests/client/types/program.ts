/* SPDX-License-Identifier: Apache-2.0 */
/* What a program may write, and what it may not. */
import { Conflict, Holdfast, Problem, type HookMessage, type ProblemCode, type Reservation } from 'holdfast-client';
const client = new Holdfast({ url: 'http://127.0.0.1:8080' });
export async function buy(): Promise<string> {
    const hold: Reservation = await client.hold([{ event: 'arena', best: { quantity: 2, adjacent: true } }]);
    const left: number = client.secondsLeft(hold);
    const total: number = hold.total.amount;
    // @ts-expect-error it has no such field
    hold.totals;
    // @ts-expect-error a quantity is a number
    await client.hold([{ event: 'arena', pool: 'floor', quantity: '2' }]);
    return hold.status + left + total;
}
export const codeOf = (error: unknown) => (error instanceof Problem ? error.code : null);

export async function pay(hold: Reservation): Promise<string> {
    const order = await client.commitReservation(hold.reservation_id, { payment_ref: "pi_1", amount: hold.total });
    // @ts-expect-error an amount has a currency
    await client.commitReservation(hold.reservation_id, { payment_ref: "pi_1", amount: 4500 });
    // @ts-expect-error it has no such field
    await client.commit(hold.reservation_id, { paymentRef: "pi_1" });
    // @ts-expect-error there is no such query
    await client.listSlots("dr_smith", { day: "today" });
    const slots: number[] = [];
    for await (const slot of client.each((page) => client.listSlots("dr_smith", page), { limit: 10 })) slots.push(slot.available);
    await client.streamEvent("arena", { onEvent: (e) => { if (e.event === "seat") slots.push(e.data.status.length); } });
    return order.tickets[0].code;
}
export const paidBack = (message: HookMessage): number => (message.type === "refund.due" ? message.data.amount.amount : 0);
export const taken = (error: unknown): boolean => error instanceof Conflict && error.code === "taken";
// @ts-expect-error there is no such code
export const code: ProblemCode = "sold";
