import Table from 'cli-table3';
import { InvalidArgumentError, type Command } from 'commander';
import { loadSiteFile } from '../../shared/config/load.ts';
import { assumptions } from '../../shared/cost/assumptions.ts';
import { billOf, type Bill, type Line } from '../../shared/cost/bill.ts';
import { jobSeconds, measure } from '../../shared/cost/measure.ts';
import { pricesAsOf, region } from '../../shared/cost/prices.ts';
import { monthlyUsage } from '../../shared/cost/usage.ts';

interface CostOptions {
  readonly plan: string;
  readonly borrows: number;
  readonly json?: true;
}

/** Adds `cost`. */
export function registerCost(program: Command): void {
  program
    .command('cost')
    .description("price a deployed site from its own calls, which are counted on this machine, at AWS's list prices")
    .requiredOption('--plan <file>', 'the site file')
    .option('--borrows <number>', 'borrows a day, each with its return', numberOfBorrows, 0)
    .option('--json', 'print one JSON document')
    .action(run);
}

async function run({ plan, borrows, json }: CostOptions): Promise<void> {
  const site = await loadSiteFile(plan);
  const bill = billOf(monthlyUsage(site, await measure(site), borrows));
  const name = site.policy.site;
  const resources = site.policy.resources.length;
  const text = json
    ? JSON.stringify(
        {
          site: name,
          elastic: resources,
          borrowsADay: borrows,
          region,
          currency: 'USD',
          pricesAsOf,
          assumptions,
          ...bill,
        },
        undefined,
        2,
      )
    : `${name}, ${resources} elastic, ${borrows} borrows a day: a month in ${region}, in USD\n${toTable(bill)}\n${notes}`;
  process.stdout.write(`${text}\n`);
}

const notes = `List prices seen up to ${pricesAsOf}. Left out: taxes, discounts, what AWS gives each account free of charge (such as
three dashboards, ten alarms and 14 million invocations of schedules a month), data transfer, and your own network.
Requests, units and log lines are counted from the site's own passes, one borrow with a job of ${jobSeconds / 3_600} h. Assumed:
${assumptions.awsRequestMilliseconds} ms a request to AWS, ${assumptions.outsideCallMilliseconds} ms a call of the controller or a provider, ${assumptions.coldStartsADay} cold starts a day; --json has all.`;

function toTable({ lines, variesWithUse, allIn }: Bill): string {
  const head = ['service', 'what', 'a month', 'price', 'cost', 'varies with use'];
  const table = new Table({
    head,
    colAligns: ['left', 'left', 'right', 'right', 'right', 'left'],
    style: { head: [], border: [] },
    chars: { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' },
  });
  table.push(
    ...lines.filter(({ quantity }) => quantity > 0).map(row),
    ['', 'what varies with use', '', '', dollars(variesWithUse), ''],
    ['', 'all in', '', '', dollars(allIn), ''],
  );
  return table.toString();
}

function row({ service, what, quantity, per, unit, usd, cost, variesWithUse }: Line): string[] {
  const amount = new Intl.NumberFormat('en', { maximumSignificantDigits: 6 }).format(quantity);
  const price = `${usd} / ${per === 1 ? '' : `${per.toLocaleString('en')} × `}${unit}`;
  return [service, what, amount, price, dollars(cost), variesWithUse ? 'yes' : 'no'];
}

const dollars = (cost: number): string => cost.toFixed(4);

function numberOfBorrows(text: string): number {
  const number = Number(text);
  if (text === '' || !(number >= 0 && number < Infinity)) throw new InvalidArgumentError('Give a number from 0.');
  return number;
}
