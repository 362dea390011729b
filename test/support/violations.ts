import { findViolations, type Violation } from '../service/guard';
import type { ReferenceService } from '../service/service';

/** A list that receives what clients owe this service and did not send; unlike the service's own, a reset leaves it. */
export function collectViolations(service: ReferenceService): readonly Violation[] {
  const found: Violation[] = [];
  service.onRequest((request, phase) => {
    if (phase === 'arrived') found.push(...findViolations(request));
  });
  return found;
}
