import * as v from 'valibot';
import { expect } from 'vitest';
import type { Answer } from './client.ts';

/** Every pair of status and error code that the service's document lists, in the document's order. */
export const REFUSALS = [
  '400 bad_request',
  '400 diff_base_required',
  '400 diff_base_not_allowed',
  '400 diff_base_invalid',
  '401 unauthorized',
  '402 insufficient_credits',
  '403 forbidden',
  '404 not_found',
  '409 conflict',
  '409 repository_initializing',
  '422 diff_empty',
  '429 rate_limited',
  '500 internal',
] as const;
export type Refusal = (typeof REFUSALS)[number];

const Envelope = v.strictObject({
  error: v.strictObject({ code: v.string(), message: v.pipe(v.string(), v.regex(/\w \w/, 'a sentence')) }),
});

/** Returns the record in an answer. The test fails if the status or the record is wrong. */
export function accepted<Shape extends v.GenericSchema>(
  answer: Answer,
  status: 200 | 201 | 202,
  shape: Shape,
): v.InferOutput<Shape> {
  expect(answer.status, JSON.stringify(answer.body)).toBe(status);
  return v.parse(shape, answer.body);
}

/** Checks that a refusal has the documented envelope and code, and returns its message. */
export function refused(answer: Answer, as: Refusal): string {
  const { error } = v.parse(Envelope, answer.body);
  expect(`${answer.status} ${error.code}`, error.message).toBe(as);
  return error.message;
}
