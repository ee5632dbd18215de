import Table from 'cli-table3';
import type { ResourceStatus } from '../shared/contracts/status.ts';

const head = [
  'RESOURCE',
  'TOTAL',
  'OWNED',
  'BORROWED',
  'IN USE',
  'WAITING',
  'GRANTS',
  'COMING',
  'GOING',
  'LAST CHANGE',
];

/** A line for each resource: what it has, what is in use, and why it last changed. */
export function statusTable(resources: readonly ResourceStatus[], width: number): string {
  const table = new Table({
    head,
    colAligns: head.map((_, index) => (index === 0 || index === head.length - 1 ? 'left' : 'right')),
    style: { head: [], border: [], compact: true },
    chars: {
      top: '',
      'top-mid': '',
      'top-left': '',
      'top-right': '',
      bottom: '',
      'bottom-mid': '',
      'bottom-left': '',
      'bottom-right': '',
      left: '',
      'left-mid': '',
      mid: '',
      'mid-mid': '',
      right: '',
      'right-mid': '',
      middle: ' ',
    },
  });
  for (const { name, ledger, controller, lastReason } of resources) {
    const { total, owned, borrowed, grants, coming, going } = ledger;
    table.push([
      name,
      ledger.confirmed || controller?.total === total ? total : `${controller?.total ?? '?'}→${total}`,
      owned,
      borrowed,
      controller?.inUse ?? '?',
      controller?.waiting ?? '?',
      grants,
      coming,
      going,
      lastReason ?? '',
    ]);
  }
  return table
    .toString()
    .split('\n')
    .map((line) => (line.length > width ? `${line.slice(0, width - 1)}…` : line))
    .join('\n');
}
