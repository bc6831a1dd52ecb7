import type { Triage } from '../../sandbox/scan-service/control.ts';
import type { Intercept } from '../../sandbox/scan-service/options.ts';
import type { Scene } from './story.ts';

/** A story in which somebody gives every finding this verdict in the service, before the action reads them. */
export function triaging(verdict: Triage): {
  readonly service: { readonly intercept: Intercept };
  readonly before: (scene: Scene) => void;
} {
  let scene: Scene | undefined;
  const intercept: Intercept = ({ point, count }) => {
    if (point === 'findings.list' && count === 1) {
      const { service } = scene?.stage ?? {};
      for (const id of service?.scans()[0]?.findingIds ?? []) service?.control.triage(id, verdict);
    }
    return undefined;
  };
  return {
    service: { intercept },
    before: (prepared) => {
      scene = prepared;
    },
  };
}
