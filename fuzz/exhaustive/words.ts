import type { PortCall } from '../../shared/simulation/port-calls.ts';
import type { Broken, Step } from './search.ts';

/** What broke, and the run that broke it, a line a step. */
export function inWords({ error, steps }: Broken): string {
  return [String(error), ...steps.map(stepInWords)].join('\n  ');
}

function stepInWords({ instance, call: { call }, fate }: Step): string {
  return `${instance === 0 ? 'A' : 'B'} ${callInWords(call)}${fate === 'answered' ? '' : `: ${fate} it took effect`}`;
}

function callInWords(call: PortCall): string {
  switch (call.method) {
    case 'write': {
      const [, { resource, version, target, lastEntry }] = call.arguments;
      const changes = lastEntry.changes.map((change) => change.kind).join(', ');
      return `writes ${resource} version ${version}, ${target.owned} + ${target.borrowed} (${changes})`;
    }
    case 'setTotal': {
      const [{ resource, total, epoch, sequence }] = call.arguments;
      return `pushes ${resource} ${total} (epoch ${epoch}, sequence ${sequence})`;
    }
    case 'request':
    case 'giveBack':
    case 'renew':
      return `${call.method} at ${call.provider}: ${call.arguments.join(' ')}`;
    default:
      return 'provider' in call ? `${call.method} at ${call.provider}` : call.method;
  }
}
