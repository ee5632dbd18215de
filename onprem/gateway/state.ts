import type { Change, ControllerState } from '../state.ts';
import type { Instant } from '../../shared/domain/model.ts';
import type { TotalState } from '../totals.ts';

/** What the gateway remembers besides: the higher totals that it has accepted and the scheduler has yet to show. */
export interface GatewayState extends ControllerState {
  readonly raising: Readonly<Record<string, TotalState>>;
}

export type GatewayChange =
  Change | { readonly at: Instant; readonly kind: 'raising'; readonly resource: string; readonly total: TotalState };
