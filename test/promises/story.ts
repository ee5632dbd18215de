/** What happened, in lines for people. */
import type { Instant } from '../../shared/domain/model.ts';
import type { PortCall } from '../../shared/simulation/port-calls.ts';

export class Story {
  readonly #lines: string[] = [];

  note(at: Instant, line: string): void {
    this.#lines.push(`${new Date(at).toISOString().slice(5, 19)} ${line}`);
  }

  /** Notes a call with its answer. */
  async tell<Answer>(at: Instant, call: PortCall, answering: Promise<Answer>): Promise<Answer> {
    try {
      const answer = await answering;
      const line = inWords(call, answer);
      if (line !== undefined) this.note(at, line);
      return answer;
    } catch (error) {
      this.note(at, `${call.method}: ${String(error)}`);
      throw error;
    }
  }

  last(lines: number): string {
    return this.#lines.slice(-lines).join('\n');
  }
}

/** Reads are left out: what they saw shows in what follows. */
function inWords(call: PortCall, answer: unknown): string | undefined {
  switch (call.method) {
    case 'write': {
      const [, { resource, version, target, lastEntry }] = call.arguments;
      const changes = lastEntry.changes.map((change) => `${change.kind} ${'grant' in change ? change.grant : ''}`);
      return `${resource} v${version} ${target.owned}+${target.borrowed} [${changes.join(', ')}]: ${String(answer)}`;
    }
    case 'setTotal': {
      const [{ resource, total, epoch, sequence }] = call.arguments;
      return `total of ${resource} ${total} (${epoch}, ${sequence}): ${JSON.stringify(answer)}`;
    }
    case 'request':
    case 'giveBack':
    case 'renew':
      return `${call.provider} ${call.method} ${call.arguments.join(' ')}: ${JSON.stringify(answer)}`;
    default:
      return undefined;
  }
}
