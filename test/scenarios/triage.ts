import type { Intercept } from '../../sandbox/faults/handler.ts';
import type { Triage } from '../../sandbox/scan-service/control.ts';
import type { Scenario } from './scenario.ts';

/** The options of a scenario in which a user triages every finding before the action reads the findings. */
export function triaging(verdict: Triage): {
  readonly service: { readonly intercept: Intercept };
  readonly before: (scenario: Scenario) => void;
} {
  let scenario: Scenario | undefined;
  const intercept: Intercept = ({ point, count }) => {
    if (point === 'findings.list' && count === 1) {
      const { service } = scenario?.environment ?? {};
      for (const id of service?.scans()[0]?.findingIds ?? []) service?.control.triage(id, verdict);
    }
    return undefined;
  };
  return {
    service: { intercept },
    before: (prepared) => {
      scenario = prepared;
    },
  };
}
