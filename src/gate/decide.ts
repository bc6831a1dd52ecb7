import { mergedSince } from '../change/diff-base.ts';
import { findChange, saw } from '../change/pull-request.ts';
import { refuseClosed } from '../change/superseded.ts';
import type { PathsDecision } from '../change/unscanned-paths.ts';
import { removeEarlierSarif } from '../deliver/place.ts';
import type { NotScanned } from '../domain/result.ts';
import type { DiffBase, ScanTarget } from '../domain/target.ts';
import type { ScanOutcome } from '../domain/verdict.ts';
import { publishFault } from '../preflight/token-check.ts';
import { describeBase, describeGuidance, describeTarget } from '../report/log-lines.ts';
import { marksUnlisted } from '../scan/marks.ts';
import { contentKey, exactKey } from '../scan/scan-mark.ts';
import { createStepIdentity } from '../scan/step-identity.ts';
import { admit, type ChangeFacts, readEarlierMarks, readFacts } from './facts.ts';
import { type Gate, notScanned, type Plan, type RunResult } from './gate.ts';
import { planLaunch } from './plan.ts';

/**
 * Decides whether the change of the event is scanned. If there are several errors, the order of the code decides which
 * one is reported. The order of the answers does not matter.
 */
export async function decide(gate: Gate): Promise<Plan> {
  const { event, reading, workspace, inputs } = gate;
  // If GitHub withholds the token, it withholds variables too. An empty `base-url` is then no input error. `admission`
  // reports the reason `missing-token`.
  const withheld = reading.withoutToken && event.ok && event.value.secretsWithheld;
  const unpublishable = event.ok ? publishFault(inputs.publish, event.value) : undefined;
  const faults = [
    ...(withheld ? [] : reading.missing),
    ...reading.faults,
    ...(unpublishable === undefined ? [] : [unpublishable]),
  ];
  const known = event.ok ? { target: event.value } : {};
  if (faults.length > 0) return end(known, inputErrors(faults));
  const leftOver = await removeEarlierSarif(workspace, inputs.delivery.sarifFile);
  if (leftOver !== undefined) return end(known, leftOver);
  if (!event.ok) return end({}, event.error);
  return decideEvent(gate, event.value);
}

/** Reads the current pull request, and decides whether it may be scanned. */
async function decideEvent(gate: Gate, event: ScanTarget): Promise<Plan> {
  const { clock, log } = gate;
  const reading = gate.firstRead();
  const admission = admit(gate, event);
  // The run may end before it needs the admission.
  admission.catch(() => {});
  const current = await reading;
  if (!current.ok) return end({ target: event }, current.error);
  const knownSince = clock.now();
  const target = current.value;
  log.info(describeTarget(target));
  const known = { target };
  // If the pull request is closed, or was closed when GitHub sent the event, the run ends with `unsupported-event`.
  // The gate then fails, even if `allow-unscanned` names this reason: see `neverAllowClosed`.
  const closed = refuseClosed(target);
  if (closed !== undefined) return end(known, closed);
  const admitted = await admission;
  if (!admitted.ok) return end(known, admitted.error);
  const { unpaid } = admitted.value;
  const earlier = unpaid && (await readEarlierMarks(gate, target));
  // Without a mark, there is no scan that is paid for. A mark that cannot be read may name one.
  if (unpaid !== undefined && earlier?.marks.length === 0)
    return end(known, earlier.unlisted === undefined ? unpaid : marksUnlisted(earlier.unlisted));
  const facts = await readFacts(gate, target, admitted.value, earlier);
  return decideChange(gate, target, { knownSince, unpaid }, facts);
}

/** Determines the change, and decides whether the service has to scan it. */
function decideChange(
  { environment, inputs, seal, parameters, log, warn, watch }: Gate,
  target: ScanTarget,
  { knownSince, unpaid }: { readonly knownSince: number; readonly unpaid: NotScanned | undefined },
  { base, ready, earlier, trees, guidance, byPaths }: ChangeFacts,
): Plan {
  const { pullRequest: shown } = earlier;
  if (watch !== undefined && shown !== undefined) {
    saw(watch, shown);
    const changed = findChange(watch);
    if (changed !== undefined) return end({ target: watch.target }, changed);
  }
  const known = {
    target,
    ...(base.ok ? { diffBase: base.value } : {}),
    ...(ready.ok ? { preflight: ready.value } : {}),
  };
  if (base.ok) {
    const diffBase = base.value;
    log.info(describeBase(diffBase));
    const unscanned = outcomeWithoutScan(target, environment.runAttempt, diffBase, byPaths);
    if (unscanned !== undefined) {
      const superseding = ready.ok
        ? { target, diffBase, preflight: ready.value, marks: earlier.marks }
        : undefined;
      return { kind: 'end', result: { ...known, outcome: unscanned }, superseding };
    }
    if (byPaths?.kind === 'scanned') {
      if (byPaths.why !== undefined) log.info(byPaths.why);
      warn(...byPaths.warnings);
    }
  }
  if (!ready.ok) {
    if (!base.ok) warn(base.error.cause);
    return end(known, ready.error);
  }
  if (!base.ok) return end(known, base.error);
  warn(...ready.value.warnings);
  if (!guidance.ok) return end(known, guidance.error);
  if (guidance.value !== undefined) log.info(describeGuidance(guidance.value.source));

  const launchable = { target, diffBase: base.value, preflight: ready.value };
  const plan = planLaunch(launchable, parameters, guidance.value);
  const keys = { key: exactKey(plan.keyFields), contentKey: trees && contentKey(plan.keyFields, trees) };
  const identity = createStepIdentity(
    environment,
    { seal, checkName: inputs.delivery.checkName },
    target.headSha,
    { ...plan.keyFields, ...keys, ...(inputs.reuseScan ? {} : { reusesNone: true }) },
  );
  return {
    kind: 'scan',
    change: {
      ...launchable,
      plan,
      ...keys,
      trees,
      identity,
      guidance: guidance.value?.source,
      earlier,
      knownSince,
      unpaid,
    },
  };
}

function end(known: Partial<RunResult>, failure: NotScanned): Plan {
  return { kind: 'end', result: { ...known, ...notScanned(failure) } };
}

/** Returns the outcome if the change needs no scan. Otherwise returns undefined. */
function outcomeWithoutScan(
  target: ScanTarget,
  runAttempt: number,
  diffBase: DiffBase,
  byPaths: PathsDecision | undefined,
): ScanOutcome | undefined {
  if (isUnchanged(diffBase)) {
    // On a re-run for a new branch or a merge group, the base may already contain the change.
    const merged = mergedSince(target, runAttempt);
    return merged === undefined ? { kind: 'unchanged' } : notScanned(merged).outcome;
  }
  return byPaths?.kind === 'unscanned' ? notScanned(byPaths.failure).outcome : undefined;
}

/** True if nothing changed. Only a base that the run computed proves that. */
function isUnchanged({ baseSha, headSha, how }: DiffBase): boolean {
  return how !== 'input' && baseSha === headSha;
}

function inputErrors(errors: readonly string[]): NotScanned {
  const [first = ''] = errors;
  const several = errors.length > 1;
  return {
    reason: 'configuration',
    cause: several ? `Scangate found ${errors.length} input errors.` : first,
    ...(several ? { problems: errors } : {}),
    nextStep: `Fix ${several ? 'them' : 'it'} under \`with:\` in the workflow and push.`,
  };
}
