import type { Row } from './benchmark.ts';

/** A Markdown table. */
export function toTable(rows: readonly Row[]): string {
  const lines = rows.map(({ measure, figure, target = '', isMissed = false, how }) => [
    measure,
    isMissed ? `**${figure}** (missed)` : figure,
    target,
    how,
  ]);
  const head = ['measure', 'figure', 'target', 'how measured'];
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
