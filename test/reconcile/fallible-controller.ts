import { ReferenceController } from '../../onprem/controller.ts';
import type { ControllerState } from '../../onprem/state.ts';

/** A controller whose copy, with older totals, takes its place. */
export class FallibleController extends ReferenceController {
  fallBackTo({ totals }: ControllerState): void {
    for (const [resource, total] of Object.entries(totals)) {
      this.apply({ kind: 'total', at: this.now, resource, total });
    }
  }
}
