import { findViolations, type Violation } from '../service/guard';
import type { ReferenceService } from '../service/service';

/**
 * Returns a list that collects the violations of this service's clients. Unlike the service's own, it survives a reset.
 */
export function collectViolations(service: ReferenceService): readonly Violation[] {
  const found: Violation[] = [];
  service.onRequest((request, phase) => {
    if (phase === 'arrived') found.push(...findViolations(request));
  });
  return found;
}
