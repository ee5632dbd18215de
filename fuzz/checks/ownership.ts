import { isApplied, breaker, type Check } from '../../test/promises/check.ts';

const broken = breaker(5, 'order');

/** An owner that has lost the lease changes no total any more. `leaseEpoch`: of the lease, as the controller has it now. */
export function losersAreFenced(leaseEpoch: () => number): Check {
  return {
    answered({ call, answer, before: { at } }) {
      if (call.method !== 'setTotal' || !isApplied(answer)) return;
      const [{ resource, epoch, sequence }] = call.arguments;
      if (epoch < leaseEpoch()) {
        broken(at, `${resource} (${epoch}, ${sequence}) was accepted although the lease has epoch ${leaseEpoch()}`);
      }
    },
  };
}

/** A pass that was told that somebody else holds the lease asks no provider for anything. */
export function idlersAskNothing(process: { readonly name: string; readonly isIdle: boolean }, at: number): void {
  if (process.isIdle) broken(at, `${process.name} asks a provider although another holds the lease`);
}
