import Table from 'cli-table3';
import type { ResourceStatus } from '../shared/contracts/status.ts';

const figures = ['RESOURCE', 'TOTAL', 'OWNED', 'BORROWED', 'IN USE', 'WAITING', 'GRANTS', 'COMING', 'GOING'];

/** From here on there is room for the last change beside the figures; below it stands under them. */
const wideColumns = 160;

/** A line for each resource: what it has, what is in use, and why it last changed; none is longer than `width`. */
export function statusTable(resources: readonly ResourceStatus[], width: number): string {
  const wide = width >= wideColumns;
  const head = wide ? [...figures, 'LAST CHANGE'] : figures;
  const table = new Table({
    head,
    colAligns: head.map((_, index) => (index === 0 || index === figures.length ? 'left' : 'right')),
    style: { head: [], border: [], compact: true, 'padding-right': 0 },
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
      ...(wide ? [lastReason ?? ''] : []),
    ]);
  }
  const reasons = resources.flatMap(({ name, lastReason }) =>
    lastReason === undefined ? [] : [`${name}: ${lastReason}`],
  );
  return [...table.toString().replaceAll(/ +$/gm, '').split('\n'), ...(wide ? [] : reasons)]
    .map((line) => cut(line, width))
    .join('\n');
}

export function cut(line: string, width: number): string {
  return line.length > width ? `${line.slice(0, width - 1)}…` : line;
}
