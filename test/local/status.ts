import { setTimeout as sleep } from 'node:timers/promises';
import type * as z from 'zod';
import { historyPage, totals } from '../../shared/contracts/status-history.ts';
import { openGrants, resourceStatus } from '../../shared/contracts/status.ts';

/** What the status API of a site says of hfsshpc. */
export class Status {
  readonly url: string;

  constructor(url: string) {
    this.url = url;
  }

  /** The ledger's total and borrowed tokens, and the controller's total, in use and waiting. */
  async figures() {
    const { ledger, controller } = await this.#get(resourceStatus, '');
    if (controller === undefined) throw new Error('the controller is not heard');
    const { total, borrowed, coming, going } = ledger;
    const { inUse, waiting, total: applied } = controller;
    return { total, borrowed, coming, going, applied, inUse, waiting };
  }

  async grants(): Promise<{ id: string; tokens: number }[]> {
    const { grants } = await this.#get(openGrants, '/grants');
    return grants.map(({ id, tokens }) => ({ id, tokens }));
  }

  async changes() {
    const { entries } = await this.#get(historyPage, '/history?limit=500');
    return entries.flatMap(({ version, at, changes }) => changes.map(({ kind }) => ({ version, at, kind })));
  }

  async totals() {
    return (await this.#get(totals, '/totals')).steps;
  }

  async #get<T>(schema: z.ZodType<T>, path: string): Promise<T> {
    const answer = await fetch(`${this.url}/v1/resources/hfsshpc${path}`);
    return schema.parse(await answer.json());
  }
}

/** Looks until `look` answers something; the test's time limit ends a wait in vain. */
export async function until<T>(look: () => Promise<T | undefined | false>): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    await sleep(20);
  }
}
