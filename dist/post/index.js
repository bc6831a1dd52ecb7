import path from "node:path";
import * as os from "os";

// src/clock.ts
/** `setTimeout` fires at once for NaN and for more than 2^31-1 milliseconds. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** A duration that a timer really waits: not NaN, not negative, not over what a timer can hold. */
function clampTimer(ms) {
	return Number.isNaN(ms) ? 0 : Math.min(Math.max(ms, 0), LONGEST_TIMER_MS);
}
const systemClock = {
	now: () => performance.now(),
	date: () => /* @__PURE__ */ new Date(),
	sleep: (ms, signal) => new Promise((resolve) => {
		if (signal?.aborted) return resolve();
		const done = () => {
			clearTimeout(timer);
			signal?.removeEventListener("abort", done);
			resolve();
		};
		const timer = setTimeout(done, clampTimer(ms));
		signal?.addEventListener("abort", done, { once: true });
	})
};

// node_modules/valibot/dist/index.mjs
let store$4;
const DEFAULT_CONFIG = {
	lang: void 0,
	message: void 0,
	abortEarly: void 0,
	abortPipeEarly: void 0
};
/**
* Returns the global configuration.
*
* @param config The config to merge.
*
* @returns The configuration.
*/
/* @__NO_SIDE_EFFECTS__ */
function getGlobalConfig(config$1) {
	if (!config$1 && !store$4) return DEFAULT_CONFIG;
	return {
		lang: config$1?.lang ?? store$4?.lang,
		message: config$1?.message,
		abortEarly: config$1?.abortEarly ?? store$4?.abortEarly,
		abortPipeEarly: config$1?.abortPipeEarly ?? store$4?.abortPipeEarly
	};
}
let store$3;
/**
* Returns a global error message.
*
* @param lang The language of the message.
*
* @returns The error message.
*/
/* @__NO_SIDE_EFFECTS__ */
function getGlobalMessage(lang) {
	return store$3?.get(lang);
}
let store$2;
/**
* Returns a schema error message.
*
* @param lang The language of the message.
*
* @returns The error message.
*/
/* @__NO_SIDE_EFFECTS__ */
function getSchemaMessage(lang) {
	return store$2?.get(lang);
}
let store$1;
/**
* Returns a specific error message.
*
* @param reference The identifier reference.
* @param lang The language of the message.
*
* @returns The error message.
*/
/* @__NO_SIDE_EFFECTS__ */
function getSpecificMessage(reference, lang) {
	return store$1?.get(reference)?.get(lang);
}
/**
* Stringifies an unknown input to a literal or type string.
*
* @param input The unknown input.
*
* @returns A literal or type string.
*
* @internal
*/
/* @__NO_SIDE_EFFECTS__ */
function _stringify(input) {
	const type = typeof input;
	if (type === "string") return `"${input}"`;
	if (type === "number" || type === "bigint" || type === "boolean") return `${input}`;
	if (type === "object" || type === "function") return (input && Object.getPrototypeOf(input)?.constructor?.name) ?? "null";
	return type;
}
/**
* Adds an issue to the dataset.
*
* @param context The issue context.
* @param label The issue label.
* @param dataset The input dataset.
* @param config The configuration.
* @param other The optional props.
*
* @internal
*/
function _addIssue(context, label, dataset, config$1, other) {
	const input = other && "input" in other ? other.input : dataset.value;
	const expected = other?.expected ?? context.expects ?? null;
	const received = other?.received ?? /* @__PURE__ */ _stringify(input);
	const issue = {
		kind: context.kind,
		type: context.type,
		input,
		expected,
		received,
		message: `Invalid ${label}: ${expected ? `Expected ${expected} but r` : "R"}eceived ${received}`,
		requirement: context.requirement,
		path: other?.path,
		issues: other?.issues,
		lang: config$1.lang,
		abortEarly: config$1.abortEarly,
		abortPipeEarly: config$1.abortPipeEarly
	};
	const isSchema = context.kind === "schema";
	const message$1 = other?.message ?? context.message ?? /* @__PURE__ */ getSpecificMessage(context.reference, issue.lang) ?? (isSchema ? /* @__PURE__ */ getSchemaMessage(issue.lang) : null) ?? config$1.message ?? /* @__PURE__ */ getGlobalMessage(issue.lang);
	if (message$1 !== void 0) issue.message = typeof message$1 === "function" ? message$1(issue) : message$1;
	if (isSchema) dataset.typed = false;
	if (dataset.issues) dataset.issues.push(issue);
	else dataset.issues = [issue];
}
/**
* Compares two values using the SameValueZero algorithm, which treats `NaN`
* as equal to itself unlike `===`.
*
* @param value1 The first value.
* @param value2 The second value.
*
* @returns Whether the values are equal.
*
* @internal
*/
/* @__NO_SIDE_EFFECTS__ */
function _isSameValueZero(value1, value2) {
	return value1 === value2 || Number.isNaN(value1) && Number.isNaN(value2);
}
/**
* Disallows inherited object properties and prevents object prototype
* pollution by disallowing certain keys.
*
* @param object The object to check.
* @param key The key to check.
*
* @returns Whether the key is allowed.
*
* @internal
*/
/* @__NO_SIDE_EFFECTS__ */
function _isValidObjectKey(object$1, key) {
	return Object.prototype.hasOwnProperty.call(object$1, key) && key !== "__proto__" && key !== "prototype" && key !== "constructor";
}
/**
* Joins multiple `expects` values with the given separator.
*
* @param values The `expects` values.
* @param separator The separator.
*
* @returns The joined `expects` property.
*
* @internal
*/
/* @__NO_SIDE_EFFECTS__ */
function _joinExpects(values$1, separator) {
	const list = [...new Set(values$1)];
	if (list.length > 1) return `(${list.join(` ${separator} `)})`;
	return list[0] ?? "never";
}
/**
* Eagerly creates and attaches the Standard Schema properties of a schema.
*
* Hint: The contextual `this` type includes the standard properties that are
* attached before the schema is returned.
*
* @param schema The schema to attach standard properties to.
*
* @returns The schema with standard properties attached.
*
* @internal
*/
function _standardSchema(schema) {
	schema["~standard"] = {
		version: 1,
		vendor: "valibot",
		validate: (value$1) => schema["~run"]({ value: value$1 }, /* @__PURE__ */ getGlobalConfig())
	};
	return schema;
}
/* @__NO_SIDE_EFFECTS__ */
function getDotPath(issue) {
	if (issue.path) {
		let key = "";
		for (const item of issue.path) if (typeof item.key === "string" || typeof item.key === "number") if (key) key += `.${item.key}`;
		else key += item.key;
		else return null;
		return key;
	}
	return null;
}
/* @__NO_SIDE_EFFECTS__ */
function minValue(requirement, message$1) {
	return {
		kind: "validation",
		type: "min_value",
		reference: minValue,
		async: false,
		expects: `>=${requirement instanceof Date ? requirement.toJSON() : /* @__PURE__ */ _stringify(requirement)}`,
		requirement,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && !(dataset.value >= this.requirement)) _addIssue(this, "value", dataset, config$1, { received: dataset.value instanceof Date ? dataset.value.toJSON() : /* @__PURE__ */ _stringify(dataset.value) });
			return dataset;
		}
	};
}
/* @__NO_SIDE_EFFECTS__ */
function safeInteger(message$1) {
	return {
		kind: "validation",
		type: "safe_integer",
		reference: safeInteger,
		async: false,
		expects: null,
		requirement: Number.isSafeInteger,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && !this.requirement(dataset.value)) _addIssue(this, "safe integer", dataset, config$1);
			return dataset;
		}
	};
}
/**
* Creates a custom transformation action.
*
* @param operation The transformation operation.
*
* @returns A transform action.
*/
/* @__NO_SIDE_EFFECTS__ */
function transform(operation) {
	return {
		kind: "transformation",
		type: "transform",
		reference: transform,
		async: false,
		operation,
		"~run"(dataset) {
			dataset.value = this.operation(dataset.value);
			return dataset;
		}
	};
}
/**
* Returns the fallback value of the schema.
*
* @param schema The schema to get it from.
* @param dataset The output dataset if available.
* @param config The config if available.
*
* @returns The fallback value.
*/
/* @__NO_SIDE_EFFECTS__ */
function getFallback(schema, dataset, config$1) {
	return typeof schema.fallback === "function" ? schema.fallback(dataset, config$1) : schema.fallback;
}
/**
* Returns the default value of the schema.
*
* @param schema The schema to get it from.
* @param dataset The input dataset if available.
* @param config The config if available.
*
* @returns The default value.
*/
/* @__NO_SIDE_EFFECTS__ */
function getDefault(schema, dataset, config$1) {
	return typeof schema.default === "function" ? schema.default(dataset, config$1) : schema.default;
}
/* @__NO_SIDE_EFFECTS__ */
function array(item, message$1) {
	return _standardSchema({
		kind: "schema",
		type: "array",
		reference: array,
		expects: "Array",
		async: false,
		item,
		message: message$1,
		"~run"(dataset, config$1) {
			const input = dataset.value;
			if (Array.isArray(input)) {
				dataset.typed = true;
				dataset.value = [];
				for (let key = 0; key < input.length; key++) {
					const value$1 = input[key];
					const itemDataset = this.item["~run"]({ value: value$1 }, config$1);
					if (itemDataset.issues) {
						const pathItem = {
							type: "array",
							origin: "value",
							input,
							key,
							value: value$1
						};
						for (const issue of itemDataset.issues) {
							if (issue.path) issue.path.unshift(pathItem);
							else issue.path = [pathItem];
							dataset.issues?.push(issue);
						}
						if (!dataset.issues) dataset.issues = itemDataset.issues;
						if (config$1.abortEarly) {
							dataset.typed = false;
							break;
						}
					}
					if (!itemDataset.typed) dataset.typed = false;
					dataset.value.push(itemDataset.value);
				}
			} else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}
/* @__NO_SIDE_EFFECTS__ */
function boolean(message$1) {
	return _standardSchema({
		kind: "schema",
		type: "boolean",
		reference: boolean,
		expects: "boolean",
		async: false,
		message: message$1,
		"~run"(dataset, config$1) {
			if (typeof dataset.value === "boolean") dataset.typed = true;
			else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}
/* @__NO_SIDE_EFFECTS__ */
function custom(check$1, message$1) {
	return _standardSchema({
		kind: "schema",
		type: "custom",
		reference: custom,
		expects: "unknown",
		async: false,
		check: check$1,
		message: message$1,
		"~run"(dataset, config$1) {
			if (this.check(dataset.value)) dataset.typed = true;
			else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}
/* @__NO_SIDE_EFFECTS__ */
function literal(literal_, message$1) {
	return _standardSchema({
		kind: "schema",
		type: "literal",
		reference: literal,
		expects: /* @__PURE__ */ _stringify(literal_),
		async: false,
		literal: literal_,
		message: message$1,
		"~run"(dataset, config$1) {
			if (/* @__PURE__ */ _isSameValueZero(dataset.value, this.literal)) dataset.typed = true;
			else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}
/* @__NO_SIDE_EFFECTS__ */
function nullable(wrapped, default_) {
	return _standardSchema({
		kind: "schema",
		type: "nullable",
		reference: nullable,
		expects: `(${wrapped.expects} | null)`,
		async: false,
		wrapped,
		default: default_,
		"~run"(dataset, config$1) {
			if (dataset.value === null) {
				if (this.default !== void 0) dataset.value = /* @__PURE__ */ getDefault(this, dataset, config$1);
				if (dataset.value === null) {
					dataset.typed = true;
					return dataset;
				}
			}
			return this.wrapped["~run"](dataset, config$1);
		}
	});
}
/* @__NO_SIDE_EFFECTS__ */
function nullish(wrapped, default_) {
	return _standardSchema({
		kind: "schema",
		type: "nullish",
		reference: nullish,
		expects: `(${wrapped.expects} | null | undefined)`,
		async: false,
		wrapped,
		default: default_,
		"~run"(dataset, config$1) {
			if (dataset.value === null || dataset.value === void 0) {
				if (this.default !== void 0) dataset.value = /* @__PURE__ */ getDefault(this, dataset, config$1);
				if (dataset.value === null || dataset.value === void 0) {
					dataset.typed = true;
					return dataset;
				}
			}
			return this.wrapped["~run"](dataset, config$1);
		}
	});
}
/* @__NO_SIDE_EFFECTS__ */
function number(message$1) {
	return _standardSchema({
		kind: "schema",
		type: "number",
		reference: number,
		expects: "number",
		async: false,
		message: message$1,
		"~run"(dataset, config$1) {
			if (typeof dataset.value === "number" && !isNaN(dataset.value)) dataset.typed = true;
			else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}
/* @__NO_SIDE_EFFECTS__ */
function object(entries$1, message$1) {
	return _standardSchema({
		kind: "schema",
		type: "object",
		reference: object,
		expects: "Object",
		async: false,
		entries: entries$1,
		message: message$1,
		"~run"(dataset, config$1) {
			const input = dataset.value;
			if (input && typeof input === "object") {
				dataset.typed = true;
				dataset.value = {};
				for (const key in this.entries) {
					const valueSchema = this.entries[key];
					if (key in input || (valueSchema.type === "exact_optional" || valueSchema.type === "optional" || valueSchema.type === "nullish") && valueSchema.default !== void 0) {
						const value$1 = key in input ? input[key] : /* @__PURE__ */ getDefault(valueSchema);
						const valueDataset = valueSchema["~run"]({ value: value$1 }, config$1);
						if (valueDataset.issues) {
							const pathItem = {
								type: "object",
								origin: "value",
								input,
								key,
								value: value$1
							};
							for (const issue of valueDataset.issues) {
								if (issue.path) issue.path.unshift(pathItem);
								else issue.path = [pathItem];
								dataset.issues?.push(issue);
							}
							if (!dataset.issues) dataset.issues = valueDataset.issues;
							if (config$1.abortEarly) {
								dataset.typed = false;
								break;
							}
						}
						if (!valueDataset.typed) dataset.typed = false;
						dataset.value[key] = valueDataset.value;
					} else if (valueSchema.fallback !== void 0) dataset.value[key] = /* @__PURE__ */ getFallback(valueSchema);
					else if (valueSchema.type !== "exact_optional" && valueSchema.type !== "optional" && valueSchema.type !== "nullish") {
						_addIssue(this, "key", dataset, config$1, {
							input: void 0,
							expected: `"${key}"`,
							path: [{
								type: "object",
								origin: "key",
								input,
								key,
								value: input[key]
							}]
						});
						if (config$1.abortEarly) break;
					}
				}
			} else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}
/* @__NO_SIDE_EFFECTS__ */
function optional(wrapped, default_) {
	return _standardSchema({
		kind: "schema",
		type: "optional",
		reference: optional,
		expects: `(${wrapped.expects} | undefined)`,
		async: false,
		wrapped,
		default: default_,
		"~run"(dataset, config$1) {
			if (dataset.value === void 0) {
				if (this.default !== void 0) dataset.value = /* @__PURE__ */ getDefault(this, dataset, config$1);
				if (dataset.value === void 0) {
					dataset.typed = true;
					return dataset;
				}
			}
			return this.wrapped["~run"](dataset, config$1);
		}
	});
}
/* @__NO_SIDE_EFFECTS__ */
function picklist(options, message$1) {
	return _standardSchema({
		kind: "schema",
		type: "picklist",
		reference: picklist,
		expects: /* @__PURE__ */ _joinExpects(options.map(_stringify), "|"),
		async: false,
		options,
		message: message$1,
		"~run"(dataset, config$1) {
			if (this.options.includes(dataset.value)) dataset.typed = true;
			else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}
/* @__NO_SIDE_EFFECTS__ */
function record$1(key, value$1, message$1) {
	return _standardSchema({
		kind: "schema",
		type: "record",
		reference: record$1,
		expects: "Object",
		async: false,
		key,
		value: value$1,
		message: message$1,
		"~run"(dataset, config$1) {
			const input = dataset.value;
			if (input && typeof input === "object") {
				dataset.typed = true;
				dataset.value = {};
				for (const entryKey in input) if (/* @__PURE__ */ _isValidObjectKey(input, entryKey)) {
					const entryValue = input[entryKey];
					const keyDataset = this.key["~run"]({ value: entryKey }, config$1);
					if (keyDataset.issues) {
						const pathItem = {
							type: "object",
							origin: "key",
							input,
							key: entryKey,
							value: entryValue
						};
						for (const issue of keyDataset.issues) {
							issue.path = [pathItem];
							dataset.issues?.push(issue);
						}
						if (!dataset.issues) dataset.issues = keyDataset.issues;
						if (config$1.abortEarly) {
							dataset.typed = false;
							break;
						}
					}
					const valueDataset = this.value["~run"]({ value: entryValue }, config$1);
					if (valueDataset.issues) {
						const pathItem = {
							type: "object",
							origin: "value",
							input,
							key: entryKey,
							value: entryValue
						};
						for (const issue of valueDataset.issues) {
							if (issue.path) issue.path.unshift(pathItem);
							else issue.path = [pathItem];
							dataset.issues?.push(issue);
						}
						if (!dataset.issues) dataset.issues = valueDataset.issues;
						if (config$1.abortEarly) {
							dataset.typed = false;
							break;
						}
					}
					if (!keyDataset.typed || !valueDataset.typed) dataset.typed = false;
					if (keyDataset.typed) dataset.value[keyDataset.value] = valueDataset.value;
				}
			} else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}
/* @__NO_SIDE_EFFECTS__ */
function string(message$1) {
	return _standardSchema({
		kind: "schema",
		type: "string",
		reference: string,
		expects: "string",
		async: false,
		message: message$1,
		"~run"(dataset, config$1) {
			if (typeof dataset.value === "string") dataset.typed = true;
			else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}
/**
* Creates a unknown schema.
*
* @returns A unknown schema.
*/
/* @__NO_SIDE_EFFECTS__ */
function unknown() {
	return _standardSchema({
		kind: "schema",
		type: "unknown",
		reference: unknown,
		expects: "unknown",
		async: false,
		"~run"(dataset) {
			dataset.typed = true;
			return dataset;
		}
	});
}
/* @__NO_SIDE_EFFECTS__ */
function pipe(...pipe$1) {
	return _standardSchema({
		...pipe$1[0],
		pipe: pipe$1,
		"~run"(dataset, config$1) {
			for (const item of pipe$1) if (item.kind !== "metadata") {
				if (dataset.issues && (item.kind === "schema" || item.kind === "transformation")) {
					dataset.typed = false;
					break;
				}
				if (!dataset.issues || !config$1.abortEarly && !config$1.abortPipeEarly) dataset = item["~run"](dataset, config$1);
			}
			return dataset;
		}
	});
}
/**
* Parses an unknown input based on a schema.
*
* @param schema The schema to be used.
* @param input The input to be parsed.
* @param config The parse configuration.
*
* @returns The parse result.
*/
/* @__NO_SIDE_EFFECTS__ */
function safeParse(schema, input, config$1) {
	const dataset = schema["~run"]({ value: input }, /* @__PURE__ */ getGlobalConfig(config$1));
	return {
		typed: dataset.typed,
		success: !dataset.issues,
		output: dataset.value,
		issues: dataset.issues
	};
}

// src/domain/result.ts
function ok(value) {
	return {
		ok: true,
		value
	};
}
function err(error) {
	return {
		ok: false,
		error
	};
}

// src/github/check-output.ts
/** GitHub's REST documents: "Create a check run", members `output` and `annotations`. */
const TITLE_CHARACTERS = 255;
const SUMMARY_BYTES = 65535;
const ANNOTATION_BYTES = 65536;
/** The last guard: what is longer than GitHub takes is cut on a character's boundary. An empty text is left out. */
function outputOnTheWire(output, annotations) {
	return {
		title: clampCharacters(output.title, TITLE_CHARACTERS),
		summary: clampBytes(output.summary, SUMMARY_BYTES),
		...output.text === "" ? {} : { text: clampBytes(output.text, SUMMARY_BYTES) },
		...annotations.length === 0 ? {} : { annotations: annotations.map(annotationOnTheWire) }
	};
}
function annotationOnTheWire(annotation) {
	const { rawDetails } = annotation;
	return {
		path: annotation.path,
		start_line: annotation.startLine,
		end_line: annotation.endLine,
		annotation_level: annotation.level,
		title: clampCharacters(annotation.title, TITLE_CHARACTERS),
		message: clampBytes(annotation.message, ANNOTATION_BYTES),
		...rawDetails === void 0 ? {} : { raw_details: clampBytes(rawDetails, ANNOTATION_BYTES) }
	};
}
/** At most `limit` UTF-16 units, never half a surrogate pair. */
function clampCharacters(text, limit) {
	if (text.length <= limit) return text;
	const cut = text.slice(0, limit);
	return cut.isWellFormed() ? cut : cut.slice(0, -1);
}
/** At most `limit` bytes of UTF-8, cut between characters. */
function clampBytes(text, limit) {
	const bytes = Buffer.from(text, "utf8");
	if (bytes.length <= limit) return text;
	let end = limit;
	while (end > 0 && ((bytes[end] ?? 0) & 192) === 128) end -= 1;
	return bytes.toString("utf8", 0, end);
}

// src/github/web-address.ts
/** A page that GitHub names in an answer: an http or https address, or undefined. */
const WebAddress = pipe(nullish(string()), transform((value) => {
	const url = value == null ? null : URL.parse(value);
	return url?.protocol === "https:" || url?.protocol === "http:" ? url.href : void 0;
}));

// src/github/check-run.ts
/** GitHub's REST documents: "limits the number of annotations to a maximum of 50 per API request". */
const ANNOTATIONS_PER_REQUEST = 50;
const permission = "checks: write";
const Created = object({
	id: number(),
	html_url: optional(WebAddress)
});
const Shown = object({ output: object({ annotations_count: number() }) });
const Listed = object({ check_runs: array(object({
	...Created.entries,
	external_id: nullish(string()),
	status: nullish(string())
})) });
/**
* Completes the check run; creates a completed one where there is none or GitHub refuses to change it.
* The first request carries the conclusion, so that whatever happens later it does not stay in progress;
* the other annotations follow one request after the other, since GitHub adds them to those it has.
*/
async function completeCheckRun(github, checkRunId, identity, result) {
	const { conclusion, output, annotations } = result;
	const first = annotations.slice(0, 50);
	const conclude = (batch) => ({
		status: "completed",
		conclusion,
		output: outputOnTheWire(output, batch)
	});
	let refusal;
	let done;
	const send = async (how) => {
		refusal = void 0;
		const answer = await how(first);
		if (answer.ok || answer.error.status !== 422 || first.length === 0) return answer;
		refusal = answer.error;
		return how([]);
	};
	if (checkRunId !== void 0) {
		done = await send((batch) => update(github, checkRunId, conclude(batch), batch.length, 0));
		if (!done.ok && !isRefusal(done.error)) return done;
	}
	if (done === void 0 || !done.ok) done = await send((batch) => createOnce(github, identity, conclude(batch)));
	if (!done.ok) return done;
	let annotated = refusal === void 0 ? first.length : 0;
	let fault = refusal;
	const refused = refusal === void 0 ? [] : [...first];
	for (let start = 50; start < annotations.length; start += 50) {
		const batch = annotations.slice(start, start + 50);
		const body = { output: outputOnTheWire(output, batch) };
		const answer = await update(github, done.value.id, body, batch.length, annotated);
		if (answer.ok) {
			annotated += batch.length;
			continue;
		}
		fault ??= answer.error;
		refused.push(...batch);
		if (answer.error.status === 422) continue;
		refused.push(...annotations.slice(start + 50));
		break;
	}
	return ok({
		url: done.value.url,
		annotated,
		refused,
		fault
	});
}
/** A definite no to changing this one check run, after which another can still be created. */
function isRefusal({ kind }) {
	return kind === "forbidden" || kind === "not-found" || kind === "refused";
}
/** GitHub adds annotations, so a request that may have been done is not sent again before counting them. */
async function update(github, checkRunId, body, adds, shownBefore) {
	const patch = () => github.ask({
		operation: "update the check run",
		permission,
		route: "PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}",
		parameters: {
			check_run_id: checkRunId,
			...body
		},
		answer: Created,
		repeatable: adds === 0
	});
	let answer = await patch();
	for (let again = 0; again < 2 && adds > 0 && !answer.ok && isLost(answer.error); again += 1) {
		const shown = await github.ask({
			operation: "read the check run",
			permission,
			route: "GET /repos/{owner}/{repo}/check-runs/{check_run_id}",
			parameters: { check_run_id: checkRunId },
			answer: object({
				...Created.entries,
				...Shown.entries
			})
		});
		if (shown.ok && shown.value.data.output.annotations_count >= shownBefore + adds) return ok(checkRunOf(shown.value.data));
		answer = await patch();
	}
	return answer.ok ? ok(checkRunOf(answer.value.data)) : err(answer.error);
}
async function createOnce(github, { name, headSha, externalId, detailsUrl }, body) {
	const create = () => github.ask({
		operation: "create the check run",
		permission,
		route: "POST /repos/{owner}/{repo}/check-runs",
		parameters: {
			name,
			head_sha: headSha,
			external_id: externalId,
			...detailsUrl === void 0 ? {} : { details_url: detailsUrl },
			...body
		},
		answer: Created
	});
	let answer = await create();
	if (!answer.ok && isLost(answer.error)) {
		const list = await github.ask({
			operation: "look for the check run",
			permission,
			route: "GET /repos/{owner}/{repo}/commits/{ref}/check-runs",
			parameters: {
				ref: headSha,
				check_name: name,
				filter: "all",
				per_page: 100
			},
			answer: Listed
		});
		if (!list.ok) return err(answer.error);
		const ours = list.value.data.check_runs.find((run) => run.external_id === externalId && run.status === body.status);
		if (ours !== void 0) return ok(checkRunOf(ours));
		answer = await create();
	}
	return answer.ok ? ok(checkRunOf(answer.value.data)) : err(answer.error);
}
function isLost(error) {
	return error.mayHaveHappened && error.kind !== "stopped";
}
function checkRunOf({ id, html_url: url }) {
	return {
		id,
		url
	};
}

// src/github/environment.ts
const GITHUB_COM = {
	serverUrl: "https://github.com",
	apiUrl: "https://api.github.com"
};
/**
* Reads the variables that GitHub's runner sets. An empty variable counts as absent, and absent addresses
* are github.com's. What is essential and missing, or present and malformed, is a `configuration` stop.
*/
function readEnvironment(env) {
	const faults = [];
	const required = (name) => {
		const value = env[name] || void 0;
		if (value === void 0) faults.push(`${name} is missing`);
		return value ?? "";
	};
	const number = (name, absent) => {
		const value = env[name] || String(absent);
		if (!/^\d{1,15}$/.test(value)) faults.push(`${name} is not a whole number`);
		return Number(value);
	};
	const address = (name, absent) => {
		const value = httpAddress(env[name] || absent);
		if (value === void 0) faults.push(`${name} is not an http or https address`);
		return value ?? "";
	};
	const eventName = required("GITHUB_EVENT_NAME");
	const eventPath = required("GITHUB_EVENT_PATH");
	const repository = required("GITHUB_REPOSITORY");
	const [, owner = "", repo = ""] = /^([\w.-]+)\/([\w.-]+)$/.exec(repository) ?? [];
	if (repository !== "" && (owner === "" || /^\.{1,2}$/.test(owner) || /^\.{1,2}$/.test(repo))) faults.push("GITHUB_REPOSITORY is not of the form owner/name");
	const serverUrl = address("GITHUB_SERVER_URL", GITHUB_COM.serverUrl);
	const apiUrl = address("GITHUB_API_URL", GITHUB_COM.apiUrl);
	const graphqlUrl = address("GITHUB_GRAPHQL_URL", graphqlAddressOf(apiUrl));
	const runId = number("GITHUB_RUN_ID", 0);
	const runAttempt = number("GITHUB_RUN_ATTEMPT", 1);
	if (faults.length > 0) return err({
		reason: "configuration",
		cause: `This does not look like a step of a GitHub workflow: ${faults.join("; ")}.`,
		nextStep: "Run Scangate as a step of a workflow, and do not override the runner's GITHUB_ variables."
	});
	const page = `${serverUrl}/${owner}/${repo}/actions`;
	return ok({
		eventName,
		eventPath,
		owner,
		repo,
		serverUrl,
		apiUrl,
		graphqlUrl,
		runId,
		runAttempt,
		runUrl: runId === 0 ? page : `${page}/runs/${runId}`,
		actor: env["GITHUB_ACTOR"] ?? "",
		workspace: env["GITHUB_WORKSPACE"] || void 0,
		runnerTemp: env["RUNNER_TEMP"] || void 0
	});
}
/** GitHub Enterprise Server has its REST API below `/api/v3`, and GraphQL beside it. */
function graphqlAddressOf(apiUrl) {
	return apiUrl.endsWith("/api/v3") ? apiUrl.replace(/\/v3$/, "/graphql") : `${apiUrl}/graphql`;
}
function httpAddress(value) {
	const url = URL.parse(value);
	if (url === null || url.protocol !== "https:" && url.protocol !== "http:") return void 0;
	if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") return void 0;
	return url.href.replace(/\/+$/, "");
}

// src/github/github-error.ts
/** One or two sentences for a warning: what failed, why, and what mends it. Holds foreign text. */
function explainGitHubError(error) {
	return `Scangate could not ${error.operation}: ${because(error)}`;
}
function because({ kind, status, message, permission }) {
	const said = message === "" ? "" : ` (${message})`;
	switch (kind) {
		case "forbidden": return `GitHub refuses it${said}. Add \`${permission}\` to the job's \`permissions\`; under \`pull_request\`, a fork or Dependabot gets a read-only token whatever the workflow asks for.`;
		case "not-found": return `GitHub answers 404${said}: it is not there, or the token may not see it. If it is there, add \`${permission}\` to the job's \`permissions\`.`;
		case "unauthorized": return `GitHub does not accept the token${said}. Check the input \`github-token\`; an app's token lasts one hour, the job's own as long as the job.`;
		case "rate-limited": return `the rate limit of the token is used up${said}. Run the job again later, or give a less busy \`github-token\`.`;
		case "refused": return `GitHub answers ${status}${said}. If that names nothing you can change, please report it as a fault of Scangate.`;
		case "nonsense": return `the answer is not what GitHub's API documents${said}. Check GITHUB_API_URL, and whether a proxy answers in GitHub's place.`;
		case "unreachable": return `GitHub cannot be reached${said}. Run the job again; if it stays so, check the runner's network and GitHub's status page.`;
		case "stopped": return "the run was stopped first.";
	}
}

// node_modules/universal-user-agent/index.js
function getUserAgent() {
	if (typeof navigator === "object" && "userAgent" in navigator) return navigator.userAgent;
	if (typeof process === "object" && process.version !== void 0) return `Node.js/${process.version.substr(1)} (${process.platform}; ${process.arch})`;
	return "<environment undetectable>";
}

// node_modules/@octokit/endpoint/dist-bundle/index.js
var DEFAULTS = {
	method: "GET",
	baseUrl: "https://api.github.com",
	headers: {
		accept: "application/vnd.github.v3+json",
		"user-agent": `octokit-endpoint.js/0.0.0-development ${getUserAgent()}`
	},
	mediaType: { format: "" }
};
function lowercaseKeys(object) {
	if (!object) return {};
	return Object.keys(object).reduce((newObj, key) => {
		newObj[key.toLowerCase()] = object[key];
		return newObj;
	}, {});
}
function isPlainObject$1(value) {
	if (typeof value !== "object" || value === null) return false;
	if (Object.prototype.toString.call(value) !== "[object Object]") return false;
	const proto = Object.getPrototypeOf(value);
	if (proto === null) return true;
	const Ctor = Object.prototype.hasOwnProperty.call(proto, "constructor") && proto.constructor;
	return typeof Ctor === "function" && Ctor instanceof Ctor && Function.prototype.call(Ctor) === Function.prototype.call(value);
}
function mergeDeep(defaults, options) {
	const result = Object.assign({}, defaults);
	Object.keys(options).forEach((key) => {
		if (isPlainObject$1(options[key])) {
			if (!(key in defaults)) Object.assign(result, { [key]: options[key] });
			else result[key] = mergeDeep(defaults[key], options[key]);
		} else Object.assign(result, { [key]: options[key] });
	});
	return result;
}
function removeUndefinedProperties(obj) {
	for (const key in obj) if (obj[key] === void 0) delete obj[key];
	return obj;
}
function merge(defaults, route, options) {
	if (typeof route === "string") {
		let [method, url] = route.split(" ");
		options = Object.assign(url ? {
			method,
			url
		} : { url: method }, options);
	} else options = Object.assign({}, route);
	options.headers = lowercaseKeys(options.headers);
	removeUndefinedProperties(options);
	removeUndefinedProperties(options.headers);
	const mergedOptions = mergeDeep(defaults || {}, options);
	if (options.url === "/graphql") {
		if (defaults && defaults.mediaType.previews?.length) mergedOptions.mediaType.previews = defaults.mediaType.previews.filter((preview) => !mergedOptions.mediaType.previews.includes(preview)).concat(mergedOptions.mediaType.previews);
		mergedOptions.mediaType.previews = (mergedOptions.mediaType.previews || []).map((preview) => preview.replace(/-preview/, ""));
	}
	return mergedOptions;
}
function addQueryParameters(url, parameters) {
	const separator = /\?/.test(url) ? "&" : "?";
	const names = Object.keys(parameters);
	if (names.length === 0) return url;
	return url + separator + names.map((name) => {
		if (name === "q") return "q=" + parameters.q.split("+").map(encodeURIComponent).join("+");
		return `${name}=${encodeURIComponent(parameters[name])}`;
	}).join("&");
}
var urlVariableRegex = /\{[^{}}]+\}/g;
function removeNonChars(variableName) {
	return variableName.replace(/(?:^\W+)|(?:(?<!\W)\W+$)/g, "").split(/,/);
}
function extractUrlVariableNames(url) {
	const matches = url.match(urlVariableRegex);
	if (!matches) return [];
	return matches.map(removeNonChars).reduce((a, b) => a.concat(b), []);
}
function omit(object, keysToOmit) {
	const result = { __proto__: null };
	for (const key of Object.keys(object)) if (keysToOmit.indexOf(key) === -1) result[key] = object[key];
	return result;
}
function encodeReserved(str) {
	return str.split(/(%[0-9A-Fa-f]{2})/g).map(function(part) {
		if (!/%[0-9A-Fa-f]/.test(part)) part = encodeURI(part).replace(/%5B/g, "[").replace(/%5D/g, "]");
		return part;
	}).join("");
}
function encodeUnreserved(str) {
	return encodeURIComponent(str).replace(/[!'()*]/g, function(c) {
		return "%" + c.charCodeAt(0).toString(16).toUpperCase();
	});
}
function encodeValue(operator, value, key) {
	value = operator === "+" || operator === "#" ? encodeReserved(value) : encodeUnreserved(value);
	if (key) return encodeUnreserved(key) + "=" + value;
	else return value;
}
function isDefined(value) {
	return value !== void 0 && value !== null;
}
function isKeyOperator(operator) {
	return operator === ";" || operator === "&" || operator === "?";
}
function getValues(context, operator, key, modifier) {
	var value = context[key], result = [];
	if (isDefined(value) && value !== "") {
		if (typeof value === "string" || typeof value === "number" || typeof value === "bigint" || typeof value === "boolean") {
			value = value.toString();
			if (modifier && modifier !== "*") value = value.substring(0, parseInt(modifier, 10));
			result.push(encodeValue(operator, value, isKeyOperator(operator) ? key : ""));
		} else if (modifier === "*") {
			if (Array.isArray(value)) value.filter(isDefined).forEach(function(value2) {
				result.push(encodeValue(operator, value2, isKeyOperator(operator) ? key : ""));
			});
			else Object.keys(value).forEach(function(k) {
				if (isDefined(value[k])) result.push(encodeValue(operator, value[k], k));
			});
		} else {
			const tmp = [];
			if (Array.isArray(value)) value.filter(isDefined).forEach(function(value2) {
				tmp.push(encodeValue(operator, value2));
			});
			else Object.keys(value).forEach(function(k) {
				if (isDefined(value[k])) {
					tmp.push(encodeUnreserved(k));
					tmp.push(encodeValue(operator, value[k].toString()));
				}
			});
			if (isKeyOperator(operator)) result.push(encodeUnreserved(key) + "=" + tmp.join(","));
			else if (tmp.length !== 0) result.push(tmp.join(","));
		}
	} else if (operator === ";") {
		if (isDefined(value)) result.push(encodeUnreserved(key));
	} else if (value === "" && (operator === "&" || operator === "?")) result.push(encodeUnreserved(key) + "=");
	else if (value === "") result.push("");
	return result;
}
function parseUrl(template) {
	return { expand: expand.bind(null, template) };
}
function expand(template, context) {
	var operators = [
		"+",
		"#",
		".",
		"/",
		";",
		"?",
		"&"
	];
	template = template.replace(/\{([^\{\}]+)\}|([^\{\}]+)/g, function(_, expression, literal) {
		if (expression) {
			let operator = "";
			const values = [];
			if (operators.indexOf(expression.charAt(0)) !== -1) {
				operator = expression.charAt(0);
				expression = expression.substr(1);
			}
			expression.split(/,/g).forEach(function(variable) {
				var tmp = /([^:\*]*)(?::(\d+)|(\*))?/.exec(variable);
				values.push(getValues(context, operator, tmp[1], tmp[2] || tmp[3]));
			});
			if (operator && operator !== "+") {
				var separator = ",";
				if (operator === "?") separator = "&";
				else if (operator !== "#") separator = operator;
				return (values.length !== 0 ? operator : "") + values.join(separator);
			} else return values.join(",");
		} else return encodeReserved(literal);
	});
	if (template === "/") return template;
	else return template.replace(/\/$/, "");
}
function parse$1(options) {
	let method = options.method.toUpperCase();
	let url = (options.url || "/").replace(/:([a-z]\w+)/g, "{$1}");
	let headers = Object.assign({}, options.headers);
	let body;
	let parameters = omit(options, [
		"method",
		"baseUrl",
		"url",
		"headers",
		"request",
		"mediaType"
	]);
	const urlVariableNames = extractUrlVariableNames(url);
	url = parseUrl(url).expand(parameters);
	if (!/^http/.test(url)) url = options.baseUrl + url;
	const remainingParameters = omit(parameters, Object.keys(options).filter((option) => urlVariableNames.includes(option)).concat("baseUrl"));
	if (!/application\/octet-stream/i.test(headers.accept)) {
		if (options.mediaType.format) headers.accept = headers.accept.split(/,/).map((format) => format.replace(/application\/vnd(\.\w+)(\.v3)?(\.\w+)?(\+json)?$/, `application/vnd$1$2.${options.mediaType.format}`)).join(",");
		if (url.endsWith("/graphql")) {
			if (options.mediaType.previews?.length) headers.accept = (headers.accept.match(/(?<![\w-])[\w-]+(?=-preview)/g) || []).concat(options.mediaType.previews).map((preview) => {
				return `application/vnd.github.${preview}-preview${options.mediaType.format ? `.${options.mediaType.format}` : "+json"}`;
			}).join(",");
		}
	}
	if (["GET", "HEAD"].includes(method)) url = addQueryParameters(url, remainingParameters);
	else if ("data" in remainingParameters) body = remainingParameters.data;
	else if (Object.keys(remainingParameters).length) body = remainingParameters;
	if (!headers["content-type"] && typeof body !== "undefined") headers["content-type"] = "application/json; charset=utf-8";
	if (["PATCH", "PUT"].includes(method) && typeof body === "undefined") body = "";
	return Object.assign({
		method,
		url,
		headers
	}, typeof body !== "undefined" ? { body } : null, options.request ? { request: options.request } : null);
}
function endpointWithDefaults(defaults, route, options) {
	return parse$1(merge(defaults, route, options));
}
function withDefaults$1(oldDefaults, newDefaults) {
	const DEFAULTS2 = merge(oldDefaults, newDefaults);
	const endpoint2 = endpointWithDefaults.bind(null, DEFAULTS2);
	return Object.assign(endpoint2, {
		DEFAULTS: DEFAULTS2,
		defaults: withDefaults$1.bind(null, DEFAULTS2),
		merge: merge.bind(null, DEFAULTS2),
		parse: parse$1
	});
}
var endpoint = withDefaults$1(null, DEFAULTS);

// node_modules/content-type/dist/index.js
/*!
* content-type
* Copyright(c) 2015 Douglas Christopher Wilson
* MIT Licensed
*/
const SP = 32;
const HTAB = 9;
const SEMI = 59;
const EQ = 61;
const DQUOTE = 34;
const BSLASH = 92;
const COMMA = 44;
const LOWER_CASE = 1;
const OWS = 2;
const SEMI_FLAG = 4;
const COMMA_FLAG = 8;
const TOKEN_FLAG = 16;
const NON_ASCII = 65280;
const CASE_FLAGS = 65281;
/**
* Character flags used to normalize HTTP field values while scanning.
* Out-of-range reads intentionally coerce to zero in bitwise expressions.
*/
const CHAR_MAP = /* @__PURE__ */ new Uint8Array(256);
CHAR_MAP[HTAB] |= OWS;
CHAR_MAP[SP] |= OWS;
CHAR_MAP[SEMI] |= SEMI_FLAG;
CHAR_MAP[COMMA] |= COMMA_FLAG;
for (let code = 128; code <= 255; code++) CHAR_MAP[code] |= LOWER_CASE;
for (const char of "!#$%&'*+-.^_`|~") CHAR_MAP[char.charCodeAt(0)] |= TOKEN_FLAG;
for (let code = 48; code <= 57; code++) CHAR_MAP[code] |= TOKEN_FLAG;
for (let code = 65; code <= 90; code++) CHAR_MAP[code] |= 17;
for (let code = 97; code <= 122; code++) CHAR_MAP[code] |= TOKEN_FLAG;
/**
* Null object perf optimization. Faster than `Object.create(null)` and `{ __proto__: null }`.
*/
const NullObject = /* @__PURE__ */ (() => {
	const C = function() {};
	C.prototype = Object.create(null);
	return C;
})();
/**
* Parse a `Content-Type` header.
*/
function parse(header, options) {
	const stopFlags = SEMI_FLAG | (options?.comma === true ? COMMA_FLAG : 0);
	const len = header.length;
	let valueStart = options?.start ?? 0;
	while ((CHAR_MAP[header.charCodeAt(valueStart)] & OWS) !== 0) valueStart++;
	let index = valueStart;
	let typeFlags = 0;
	let whitespace = -1;
	let stop = options?.parameters === false ? COMMA_FLAG : 0;
	while (index < len) {
		const code = header.charCodeAt(index);
		const flags = CHAR_MAP[code];
		if ((flags & stopFlags) !== 0) {
			stop |= flags & COMMA_FLAG;
			break;
		}
		if ((flags & OWS) !== 0) {
			if (whitespace === -1) whitespace = index;
		} else whitespace = -1;
		typeFlags |= code & NON_ASCII | flags;
		index++;
	}
	const valueEnd = whitespace === -1 ? index : whitespace;
	const value = header.slice(valueStart, valueEnd);
	const type = (typeFlags & CASE_FLAGS) === 0 ? value : value.toLowerCase();
	if (index === len || stop !== 0) return {
		type,
		index,
		parameters: new NullObject()
	};
	return parseParameters(header, type, index, len, stopFlags);
}
/**
* Parses the parameters of a `Content-Type` header starting at the given index.
*/
function parseParameters(header, type, index, len, stopFlags) {
	const parameters = new NullObject();
	parameter: while (index < len) {
		index++;
		while ((CHAR_MAP[header.charCodeAt(index)] & OWS) !== 0) index++;
		const keyStart = index;
		let keyFlags = 0;
		let keyWhitespace = -1;
		while (index < len) {
			const code = header.charCodeAt(index);
			const flags = CHAR_MAP[code];
			if ((flags & stopFlags) !== 0) {
				if ((flags & COMMA_FLAG) !== 0) break parameter;
				continue parameter;
			}
			if (code === EQ) {
				const keyEnd = keyWhitespace === -1 ? index : keyWhitespace;
				const value = header.slice(keyStart, keyEnd);
				const key = (keyFlags & CASE_FLAGS) === 0 ? value : value.toLowerCase();
				index++;
				while ((CHAR_MAP[header.charCodeAt(index)] & OWS) !== 0) index++;
				if (index < len && header.charCodeAt(index) === DQUOTE) {
					const quotedStart = ++index;
					let escaped = false;
					while (index < len) {
						const code = header.charCodeAt(index);
						if (code === DQUOTE) {
							if (parameters[key] === void 0) parameters[key] = escaped ? unescapeQuotedPairs(header, quotedStart, index) : header.slice(quotedStart, index);
							index++;
							let stop = 0;
							while (index < len) {
								const code = header.charCodeAt(index);
								const flags = CHAR_MAP[code];
								if ((flags & stopFlags) !== 0) {
									stop = flags & COMMA_FLAG;
									break;
								}
								index++;
							}
							if (stop !== 0) break parameter;
							continue parameter;
						}
						if (code === BSLASH && index + 1 < len) {
							escaped = true;
							index += 2;
							continue;
						}
						index++;
					}
					continue parameter;
				}
				const valueStart = index;
				let stop = 0;
				let valueWhitespace = -1;
				while (index < len) {
					const code = header.charCodeAt(index);
					const flags = CHAR_MAP[code];
					if ((flags & stopFlags) !== 0) {
						stop = flags & COMMA_FLAG;
						break;
					}
					if ((flags & OWS) !== 0) {
						if (valueWhitespace === -1) valueWhitespace = index;
					} else valueWhitespace = -1;
					index++;
				}
				if (parameters[key] === void 0) {
					const valueEnd = valueWhitespace === -1 ? index : valueWhitespace;
					parameters[key] = header.slice(valueStart, valueEnd);
				}
				if (stop !== 0) break parameter;
				continue parameter;
			}
			if ((flags & OWS) !== 0) {
				if (keyWhitespace === -1) keyWhitespace = index;
			} else keyWhitespace = -1;
			keyFlags |= code & NON_ASCII | flags;
			index++;
		}
	}
	return {
		type,
		index,
		parameters
	};
}
/**
* Remove backslashes from quoted pairs in a known-terminated quoted string body.
*/
function unescapeQuotedPairs(str, start, end) {
	let result = "";
	for (let index = start; index < end; index++) if (str.charCodeAt(index) === BSLASH) {
		result += str.slice(start, index);
		start = ++index;
	}
	return result + str.slice(start, end);
}

// node_modules/json-with-bigint/json-with-bigint.js
const intRegex = /^-?\d+$/;
const noiseValue = /^-?\d+n+$/;
const originalStringify = JSON.stringify;
const originalParse = JSON.parse;
const customFormat = /^-?\d+n$/;
const bigIntsStringify = /([\[:])?"(-?\d+)n"($|\s*[,\}\]])/g;
const noiseStringify = /([\[:])?("-?\d+n+)n("$|"\s*[,\}\]])/g;
/**
* @typedef {(this: any, key: string | number | undefined, value: any) => any} Replacer
* @typedef {(key: string | number | undefined, value: any, context?: { source: string }) => any} Reviver
*/
/**
* Checks if a value is unstringifiable according to native JSON.stringify rules.
*
* @param {any} val The value to check.
* @returns {boolean} True if the value is undefined, a function, or a symbol.
*/
const isUnstringifiable = (val) => val === void 0 || typeof val === "function" || typeof val === "symbol";
/**
* Checks if a value is a native JSON.rawJSON object (Node.js 22+).
*
* @param {any} val The value to check.
* @returns {boolean} True if the value is a RawJSON instance.
*/
const isRawJSON = (val) => val !== null && typeof val === "object" && val.constructor && val.constructor.name === "RawJSON";
/**
* Iteratively converts a JS value to a JSON string.
* Used as a fallback when the native JSON.stringify hits the Maximum Call Stack size.
* Fully compliant with JSON formatting (space), replacers, and toJSON behaviors.
*
* @param {any} rootValue The value to stringify.
* @param {Replacer | Array<string | number> | null} [replacer] User's custom replacer function.
* @param {string | number} [spaceParam] Indentation for pretty-printing.
* @returns {string | undefined} The generated JSON string.
*/
const stringifyIteratively = (rootValue, replacer, spaceParam) => {
	let space = "";
	if (typeof spaceParam === "number") space = " ".repeat(Math.min(10, Math.max(0, Math.floor(spaceParam))));
	else if (typeof spaceParam === "string") space = spaceParam.slice(0, 10);
	const isFunctionReplacer = typeof replacer === "function";
	const propertyList = Array.isArray(replacer) ? new Set(replacer.map(String)) : null;
	/**
	* Prepares a value for stringification by resolving toJSON, handling BigInts,
	* applying custom replacers, and unwrapping primitive objects.
	*
	* @param {object|Array} parent The parent object or array holding the value.
	* @param {string} key The key associated with the value.
	* @param {any} val The raw value to process.
	* @returns {any} The processed value ready for stringification.
	*/
	const prepareVal = (parent, key, val) => {
		if (val !== null && typeof val === "object" && typeof val.toJSON === "function") val = val.toJSON(key);
		if (typeof val === "string" && noiseValue.test(val)) return val + "n";
		if (typeof val === "bigint") {
			if ("rawJSON" in JSON) return JSON.rawJSON(val.toString());
			return val.toString() + "n";
		}
		if (isFunctionReplacer) val = replacer.call(parent, key, val);
		if (val !== null && typeof val === "object") {
			if (val instanceof Number || val instanceof String || val instanceof Boolean) val = val.valueOf();
		}
		return val;
	};
	const rootProcessed = prepareVal({ "": rootValue }, "", rootValue);
	if (isUnstringifiable(rootProcessed)) return;
	const isRootPrimitive = rootProcessed === null || typeof rootProcessed !== "object";
	const isRootNativeRawJSON = isRawJSON(rootProcessed);
	if (isRootPrimitive || isRootNativeRawJSON) return originalStringify(rootProcessed);
	const chunks = [];
	let level = 0;
	const stack = [{
		parent: { "": rootProcessed },
		key: "",
		val: rootProcessed,
		isArray: Array.isArray(rootProcessed),
		keys: Array.isArray(rootProcessed) ? null : Object.keys(rootProcessed),
		index: 0,
		first: true
	}];
	const visited = new WeakSet([rootProcessed]);
	while (stack.length > 0) {
		const node = stack[stack.length - 1];
		if (node.index === 0) {
			chunks.push(node.isArray ? "[" : "{");
			level++;
		}
		let isDone = false;
		if (node.isArray) {
			if (node.index < node.val.length) {
				if (!node.first) chunks.push(",");
				if (space) chunks.push("\n" + space.repeat(level));
				const childRaw = node.val[node.index];
				const childVal = prepareVal(node.val, String(node.index), childRaw);
				if (isUnstringifiable(childVal)) {
					chunks.push("null");
					node.first = false;
					node.index++;
				} else {
					const isComplexObject = childVal !== null && typeof childVal === "object";
					const isNativeRaw = isRawJSON(childVal);
					if (isComplexObject && !isNativeRaw) {
						if (visited.has(childVal)) throw new TypeError("Converting circular structure to JSON");
						visited.add(childVal);
						stack.push({
							parent: node.val,
							key: String(node.index),
							val: childVal,
							isArray: Array.isArray(childVal),
							keys: Array.isArray(childVal) ? null : Object.keys(childVal),
							index: 0,
							first: true
						});
						node.first = false;
						node.index++;
					} else {
						chunks.push(originalStringify(childVal));
						node.first = false;
						node.index++;
					}
				}
			} else isDone = true;
		} else {
			while (node.index < node.keys.length) {
				const k = node.keys[node.index++];
				if (propertyList && !propertyList.has(k)) continue;
				const childRaw = node.val[k];
				const childVal = prepareVal(node.val, k, childRaw);
				if (isUnstringifiable(childVal)) continue;
				if (!node.first) chunks.push(",");
				if (space) chunks.push("\n" + space.repeat(level) + originalStringify(k) + ": ");
				else chunks.push(originalStringify(k) + ":");
				const isComplexObject = childVal !== null && typeof childVal === "object";
				const isNativeRaw = isRawJSON(childVal);
				if (isComplexObject && !isNativeRaw) {
					if (visited.has(childVal)) throw new TypeError("Converting circular structure to JSON");
					visited.add(childVal);
					stack.push({
						parent: node.val,
						key: k,
						val: childVal,
						isArray: Array.isArray(childVal),
						keys: Array.isArray(childVal) ? null : Object.keys(childVal),
						index: 0,
						first: true
					});
					node.first = false;
					break;
				} else {
					chunks.push(originalStringify(childVal));
					node.first = false;
				}
			}
			if (node.index >= node.keys.length && stack[stack.length - 1] === node) isDone = true;
		}
		if (isDone) {
			level--;
			if (!node.first && space) chunks.push("\n" + space.repeat(level));
			chunks.push(node.isArray ? "]" : "}");
			visited.delete(node.val);
			stack.pop();
		}
	}
	return chunks.join("");
};
/**
* Converts a JavaScript value to a JSON string.
*
* Supports serialization of BigInt values using two strategies:
* 1. Custom format "123n" → "123" (universal fallback)
* 2. Native JSON.rawJSON() (Node.js 22+, fastest) when available
*
* All other values are serialized exactly like native JSON.stringify().
*
* @param {*} value The value to convert to a JSON string.
* @param {Replacer | Array<string | number> | null} [replacer]
* A function that alters the behavior of the stringification process,
* or an array of strings/numbers to indicate properties to exclude.
* @param {string | number} [space]
* A string or number to specify indentation or pretty-printing.
* @returns {string} The JSON string representation.
*/
const JSONStringify = (value, replacer, space) => {
	try {
		if ("rawJSON" in JSON) return originalStringify(value, (key, val) => {
			if (typeof val === "bigint") return JSON.rawJSON(val.toString());
			if (typeof replacer === "function") return replacer(key, val);
			if (Array.isArray(replacer) && replacer.includes(key)) return val;
			return val;
		}, space);
		if (!value) return originalStringify(value, replacer, space);
		return originalStringify(value, (key, val) => {
			if (typeof val === "string" && noiseValue.test(val)) return val.toString() + "n";
			if (typeof val === "bigint") return val.toString() + "n";
			if (typeof replacer === "function") return replacer(key, val);
			if (Array.isArray(replacer) && replacer.includes(key)) return val;
			return val;
		}, space).replace(bigIntsStringify, "$1$2$3").replace(noiseStringify, "$1$2$3");
	} catch (error) {
		if (error instanceof RangeError) {
			const convertedJSON = stringifyIteratively(value, replacer, space);
			if (convertedJSON === void 0) return void 0;
			if ("rawJSON" in JSON) return convertedJSON;
			return convertedJSON.replace(bigIntsStringify, "$1$2$3").replace(noiseStringify, "$1$2$3");
		}
		throw error;
	}
};
const featureCache = /* @__PURE__ */ new Map();
/**
* Detects if the current JSON.parse implementation supports the context.source feature.
*
* Uses toString() fingerprinting to cache results and automatically detect runtime
* replacements of JSON.parse (polyfills, mocks, etc.).
*
* @returns {boolean} true if context.source is supported, false otherwise.
*/
const isContextSourceSupported = () => {
	const parseFingerprint = JSON.parse.toString();
	if (featureCache.has(parseFingerprint)) return featureCache.get(parseFingerprint);
	try {
		const result = JSON.parse("1", (_, __, context) => !!context?.source && context.source === "1");
		featureCache.set(parseFingerprint, result);
		return result;
	} catch {
		featureCache.set(parseFingerprint, false);
		return false;
	}
};
/**
* Reviver function that converts custom-format BigInt strings back to BigInt values.
* Also handles "noise" strings that accidentally match the BigInt format.
*
* @param {string | number | undefined} key The object key.
* @param {*} value The value being parsed.
* @param {object} [context] Parse context (if supported by JSON.parse).
* @param {Reviver} [userReviver] User's custom reviver function.
* @returns {any} The transformed value.
*/
const convertMarkedBigIntsReviver = (key, value, context, userReviver) => {
	if (typeof value === "string" && customFormat.test(value)) return BigInt(value.slice(0, -1));
	if (typeof value === "string" && noiseValue.test(value)) return value.slice(0, -1);
	if (!(typeof userReviver === "function")) return value;
	return userReviver(key, value, context);
};
/**
* Fast JSON.parse implementation (~2x faster than classic fallback).
* Uses JSON.parse's context.source feature to detect integers and convert
* large numbers directly to BigInt without string manipulation.
*
* Does not support legacy custom format from v1 of this library.
*
* @param {string} text JSON string to parse.
* @param {Reviver} [reviver] Transform function to apply to each value.
* @returns {any} Parsed JavaScript value.
*/
const JSONParseV2 = (text, reviver) => {
	return JSON.parse(text, (key, value, context) => {
		const isBigNumber = typeof value === "number" && (value > Number.MAX_SAFE_INTEGER || value < Number.MIN_SAFE_INTEGER);
		const isInt = context && intRegex.test(context.source);
		if (isBigNumber && isInt) return BigInt(context.source);
		if (!(typeof reviver === "function")) return value;
		return reviver(key, value, context);
	});
};
const MAX_INT = Number.MAX_SAFE_INTEGER.toString();
const MAX_DIGITS = MAX_INT.length;
const stringsOrLargeNumbers = /"(?:[^"\\]|\\.)*"|-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/g;
const noiseValueWithQuotes = /^"-?\d+n+"$/;
/**
* Iteratively traverses the parsed object bottom-up (post-order),
* emulating the native JSON.parse reviver behavior.
* This avoids Call Stack overflows (RangeError) on deeply nested structures.
*
* @param {any} parsed The natively parsed JSON object.
* @param {Reviver} [userReviver] User's custom reviver function.
* @returns {any} The fully processed object.
*/
const applyReviverIteratively = (parsed, userReviver) => {
	const rootHolder = { "": parsed };
	const stack = [{
		parent: rootHolder,
		key: "",
		visited: false
	}];
	while (stack.length > 0) {
		const node = stack[stack.length - 1];
		if (!node.visited) {
			node.visited = true;
			const value = node.parent[node.key];
			if (value !== null && typeof value === "object") {
				const keys = Object.keys(value);
				for (let i = keys.length - 1; i >= 0; i--) stack.push({
					parent: value,
					key: keys[i],
					visited: false
				});
			}
		} else {
			const { parent, key } = node;
			let value = parent[key];
			if (typeof value === "string") {
				if (customFormat.test(value)) value = BigInt(value.slice(0, -1));
				else if (noiseValue.test(value)) value = value.slice(0, -1);
			}
			if (typeof userReviver === "function") value = userReviver.call(parent, key, value);
			if (value === void 0) delete parent[key];
			else parent[key] = value;
			stack.pop();
		}
	}
	return rootHolder[""];
};
/**
* Pre-processes the JSON string to mark large numbers with an 'n' suffix.
*
* @param {string} text The raw JSON string.
* @returns {string} The serialized string with marked BigInts.
*/
const serializeBigInts = (text) => {
	return text.replace(stringsOrLargeNumbers, (match, digits, fractional, exponential) => {
		const isString = match[0] === "\"";
		if (isString && noiseValueWithQuotes.test(match)) return match.substring(0, match.length - 1) + "n\"";
		const hasFractionalOrExponential = fractional || exponential;
		const isLessThanMaxSafeInt = digits && (digits.length < MAX_DIGITS || digits.length === MAX_DIGITS && digits <= MAX_INT);
		if (isString || hasFractionalOrExponential || isLessThanMaxSafeInt) return match;
		return "\"" + match + "n\"";
	});
};
/**
* Converts a JSON string into a JavaScript value.
*
* Supports parsing of large integers using two strategies:
* 1. Classic fallback: Marks large numbers with "123n" format, then converts to BigInt
* 2. Fast path (JSONParseV2): Uses context.source feature (~2x faster) when available
*
* All other JSON values are parsed exactly like native JSON.parse().
*
* @param {string} text A valid JSON string.
* @param {Reviver} [reviver]
* A function that transforms the results. This function is called for each member
* of the object. If a member contains nested objects, the nested objects are
* transformed before the parent object is.
* @returns {any} The parsed JavaScript value.
* @throws {SyntaxError} If text is not valid JSON.
*/
const JSONParse = (text, reviver) => {
	if (!text) return originalParse(text, reviver);
	try {
		if (isContextSourceSupported()) return JSONParseV2(text, reviver);
		const serializedData = serializeBigInts(text);
		return originalParse(serializedData, (key, value, context) => convertMarkedBigIntsReviver(key, value, context, reviver));
	} catch (error) {
		if (error instanceof RangeError) {
			const serializedData = serializeBigInts(text);
			const parsed = originalParse(serializedData);
			return applyReviverIteratively(parsed, reviver);
		}
		throw error;
	}
};

// node_modules/@octokit/request-error/dist-src/index.js
var RequestError = class extends Error {
	name;
	/**
	* http status code
	*/
	status;
	/**
	* Request options that lead to the error.
	*/
	request;
	/**
	* Response object if a response was received
	*/
	response;
	constructor(message, statusCode, options) {
		super(message, { cause: options.cause });
		this.name = "HttpError";
		this.status = Number.parseInt(statusCode);
		if (Number.isNaN(this.status)) this.status = 0;
		/* v8 ignore else -- @preserve -- Bug with vitest coverage where it sees an else branch that doesn't exist */
		if ("response" in options) this.response = options.response;
		const requestCopy = Object.assign({}, options.request);
		if (options.request.headers.authorization) requestCopy.headers = Object.assign({}, options.request.headers, { authorization: options.request.headers.authorization.replace(/(?<! ) .*$/, " [REDACTED]") });
		requestCopy.url = requestCopy.url.replace(/\bclient_secret=\w+/g, "client_secret=[REDACTED]").replace(/\baccess_token=\w+/g, "access_token=[REDACTED]");
		this.request = requestCopy;
	}
};

// node_modules/@octokit/request/dist-bundle/index.js
var defaults_default = { headers: { "user-agent": `octokit-request.js/10.0.16 ${getUserAgent()}` } };
function isPlainObject(value) {
	if (typeof value !== "object" || value === null) return false;
	if (Object.prototype.toString.call(value) !== "[object Object]") return false;
	const proto = Object.getPrototypeOf(value);
	if (proto === null) return true;
	const Ctor = Object.prototype.hasOwnProperty.call(proto, "constructor") && proto.constructor;
	return typeof Ctor === "function" && Ctor instanceof Ctor && Function.prototype.call(Ctor) === Function.prototype.call(value);
}
var noop = () => "";
async function fetchWrapper(requestOptions) {
	const fetch = requestOptions.request?.fetch || globalThis.fetch;
	if (!fetch) throw new Error("fetch is not set. Please pass a fetch implementation as new Octokit({ request: { fetch }}). Learn more at https://github.com/octokit/octokit.js/#fetch-missing");
	const log = requestOptions.request?.log || console;
	const parseSuccessResponseBody = requestOptions.request?.parseSuccessResponseBody !== false;
	const body = isPlainObject(requestOptions.body) || Array.isArray(requestOptions.body) ? JSONStringify(requestOptions.body) : requestOptions.body;
	const requestHeaders = Object.fromEntries(Object.entries(requestOptions.headers).map(([name, value]) => [name, String(value)]));
	let fetchResponse;
	try {
		fetchResponse = await fetch(requestOptions.url, {
			method: requestOptions.method,
			body,
			redirect: requestOptions.request?.redirect,
			headers: requestHeaders,
			signal: requestOptions.request?.signal,
			...requestOptions.body && { duplex: "half" }
		});
	} catch (error) {
		let message = "Unknown Error";
		if (error instanceof Error) {
			if (error.name === "AbortError") {
				error.status = 500;
				throw error;
			}
			message = error.message;
			if (error.name === "TypeError" && "cause" in error) {
				if (error.cause instanceof Error) message = error.cause.message;
				else if (typeof error.cause === "string") message = error.cause;
			}
		}
		const requestError = new RequestError(message, 500, { request: requestOptions });
		requestError.cause = error;
		throw requestError;
	}
	const status = fetchResponse.status;
	const url = fetchResponse.url;
	const responseHeaders = {};
	for (const [key, value] of fetchResponse.headers) responseHeaders[key] = value;
	const octokitResponse = {
		url,
		status,
		headers: responseHeaders,
		data: ""
	};
	if ("deprecation" in responseHeaders) {
		const matches = responseHeaders.link && responseHeaders.link.match(/<([^<>]+)>; rel="deprecation"/);
		const deprecationLink = matches && matches.pop();
		log.warn(`[@octokit/request] "${requestOptions.method} ${requestOptions.url}" is deprecated. It is scheduled to be removed on ${responseHeaders.sunset}${deprecationLink ? `. See ${deprecationLink}` : ""}`);
	}
	if (status === 204 || status === 205) return octokitResponse;
	if (requestOptions.method === "HEAD") {
		if (status < 400) return octokitResponse;
		throw new RequestError(fetchResponse.statusText, status, {
			response: octokitResponse,
			request: requestOptions
		});
	}
	if (status === 304) {
		octokitResponse.data = await getResponseData(fetchResponse);
		throw new RequestError("Not modified", status, {
			response: octokitResponse,
			request: requestOptions
		});
	}
	if (status >= 400) {
		octokitResponse.data = await getResponseData(fetchResponse);
		throw new RequestError(toErrorMessage(octokitResponse.data), status, {
			response: octokitResponse,
			request: requestOptions
		});
	}
	octokitResponse.data = parseSuccessResponseBody ? await getResponseData(fetchResponse) : fetchResponse.body;
	return octokitResponse;
}
async function getResponseData(response) {
	const contentType = response.headers.get("content-type");
	if (!contentType) return response.text().catch(noop);
	const mimetype = parse(contentType);
	if (isJSONResponse(mimetype)) {
		let text = "";
		try {
			text = await response.text();
			return JSONParse(text);
		} catch (err) {
			return text;
		}
	} else if (mimetype.type.startsWith("text/") || mimetype.parameters.charset?.toLowerCase() === "utf-8" && mimetype.type !== "application/octet-stream") return response.text().catch(noop);
	else return response.arrayBuffer().catch(
		/* v8 ignore next -- @preserve */
		() => /* @__PURE__ */ new ArrayBuffer(0)
	);
}
function isJSONResponse(mimetype) {
	return mimetype.type === "application/json" || mimetype.type === "application/scim+json";
}
function toErrorMessage(data) {
	if (typeof data === "string") return data;
	if (data instanceof ArrayBuffer) return "Unknown error";
	if (typeof data === "object" && data !== null && "message" in data) {
		const objectData = data;
		const suffix = "documentation_url" in objectData ? ` - ${objectData.documentation_url}` : "";
		return Array.isArray(objectData.errors) ? `${objectData.message}: ${objectData.errors.map((v) => JSON.stringify(v)).join(", ")}${suffix}` : `${objectData.message}${suffix}`;
	}
	return `Unknown error: ${JSON.stringify(data)}`;
}
function withDefaults(oldEndpoint, newDefaults) {
	const endpoint2 = oldEndpoint.defaults(newDefaults);
	const newApi = function(route, parameters) {
		const endpointOptions = endpoint2.merge(route, parameters);
		if (!endpointOptions.request || !endpointOptions.request.hook) return fetchWrapper(endpoint2.parse(endpointOptions));
		const request2 = (route2, parameters2) => {
			return fetchWrapper(endpoint2.parse(endpoint2.merge(route2, parameters2)));
		};
		Object.assign(request2, {
			endpoint: endpoint2,
			defaults: withDefaults.bind(null, endpoint2)
		});
		return endpointOptions.request.hook(request2, endpointOptions);
	};
	return Object.assign(newApi, {
		endpoint: endpoint2,
		defaults: withDefaults.bind(null, endpoint2)
	});
}
var request = withDefaults(endpoint, defaults_default);
/* v8 ignore next -- @preserve */
/* v8 ignore else -- @preserve */

// src/github/failure.ts
/** What octokit throws for an answer of 400 or more. Without an answer there is no `response`. */
const Answered = object({
	status: number(),
	response: object({
		headers: record$1(string(), unknown()),
		data: unknown()
	})
});
/** GitHub's error body, as far as it says something to people. */
const ErrorBody = object({
	message: string(),
	errors: optional(array(unknown()))
});
/** The request never left: no name, no route, nobody listening. */
const NOT_SENT = /* @__PURE__ */ new Set([
	"ENOTFOUND",
	"EAI_AGAIN",
	"ECONNREFUSED",
	"EHOSTUNREACH",
	"ENETUNREACH",
	"UND_ERR_CONNECT_TIMEOUT"
]);
const CERTIFICATE$1 = /CERT|SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY)|ERR_TLS|ERR_SSL/;
/** Sorts whatever octokit threw. `nowSeconds` is the wall clock, for the header that names a reset time. */
function failureOf(thrown, request, nowSeconds) {
	const answered = safeParse(Answered, thrown);
	if (answered.success) return answeredFailure(answered.output, request, nowSeconds);
	const code = codeOf(thrown);
	if (request.stopped) return failure(request, {
		kind: "stopped",
		message: ""
	});
	if (request.timedOut) return failure(request, {
		kind: "unreachable",
		message: "no answer in time"
	}, { passing: true });
	if (code !== void 0 && CERTIFICATE$1.test(code)) return failure(request, {
		kind: "unreachable",
		message: `${code}: the certificate is not trusted; NODE_EXTRA_CA_CERTS can name your own authority`,
		mayHaveHappened: false
	});
	const sent = code === void 0 || !NOT_SENT.has(code);
	return failure(request, {
		kind: "unreachable",
		message: code ?? "the connection failed",
		mayHaveHappened: sent
	}, { passing: true });
}
/** A 2xx whose body was cut: what was asked may well be done. */
function cutAnswer(request, status) {
	if (request.stopped) return failure(request, {
		kind: "stopped",
		message: ""
	});
	return failure(request, {
		kind: "unreachable",
		status,
		message: request.timedOut ? "the answer did not end in time" : "the answer was cut off"
	}, { passing: true });
}
/** An answer that does not have the documented shape. */
function nonsense(request, status, message) {
	return failure(request, {
		kind: "nonsense",
		status,
		message
	});
}
function answeredFailure({ status, response }, request, nowSeconds) {
	const message = messageOf(response.data);
	const definite = {
		status,
		message,
		mayHaveHappened: false
	};
	const retryAfterSeconds = waitNamedBy(response.headers, nowSeconds);
	if (status === 429 || status === 403 && isRateLimit(response.headers, message)) return failure(request, {
		...definite,
		kind: "rate-limited"
	}, {
		passing: true,
		retryAfterSeconds
	});
	if (status === 401) return failure(request, {
		...definite,
		kind: "unauthorized"
	});
	if (status === 403) return failure(request, {
		...definite,
		kind: "forbidden"
	});
	if (status === 404) return failure(request, {
		...definite,
		kind: "not-found"
	});
	if (status === 408 || status >= 500) return failure(request, {
		kind: "unreachable",
		status,
		message: message || `status ${status}`
	}, {
		passing: true,
		retryAfterSeconds
	});
	return failure(request, {
		...definite,
		kind: "refused"
	});
}
function failure({ operation, permission }, error, again = {}) {
	const { status, mayHaveHappened = true } = error;
	return {
		error: {
			...error,
			operation,
			permission,
			status,
			mayHaveHappened
		},
		passing: again.passing ?? false,
		retryAfterSeconds: again.retryAfterSeconds
	};
}
function isRateLimit(headers, message) {
	return headers["retry-after"] !== void 0 || headers["x-ratelimit-remaining"] === "0" || /rate limit|abuse detection/i.test(message);
}
/** `retry-after` in seconds, else the time until the primary limit is reset. */
function waitNamedBy(headers, nowSeconds) {
	const after = Number(headers["retry-after"] ?? NaN);
	if (Number.isFinite(after) && after > 0) return after;
	if (headers["x-ratelimit-remaining"] !== "0") return void 0;
	const reset = Number(headers["x-ratelimit-reset"] ?? NaN) - nowSeconds;
	return Number.isFinite(reset) && reset > 0 ? reset : void 0;
}
/** GitHub's own words; an HTML error page says nothing. */
function messageOf(data) {
	const body = safeParse(ErrorBody, data);
	if (!body.success) return "";
	const { message, errors = [] } = body.output;
	return [message, ...errors.map((error) => typeof error === "string" ? error : JSON.stringify(error))].join("; ");
}
/** fetch hides the cause one or two levels down. */
function codeOf(thrown) {
	let error = thrown;
	for (let depth = 0; depth < 5 && error instanceof Error; depth += 1) {
		if ("code" in error && typeof error.code === "string") return error.code;
		error = error.cause;
	}
}

// src/github/retry.ts
/** Sends of one request, the first included. */
const MAX_ATTEMPTS = 3;
/** GitHub's advice where a secondary rate limit names no time: "wait for at least one minute". */
const UNNAMED_RATE_LIMIT_SECONDS = 60;
const BACKOFF_SECONDS = [1, 3];
/**
* Milliseconds to wait before the next send, or undefined for "do not send again".
* A request that changes something is sent again only where the last one was surely not done.
*/
function waitBeforeRetry(failure, repeatable, attempt) {
	if (attempt >= 3 || !failure.passing) return void 0;
	if (failure.error.mayHaveHappened && !repeatable) return void 0;
	const advised = failure.retryAfterSeconds ?? (failure.error.kind === "rate-limited" ? UNNAMED_RATE_LIMIT_SECONDS : BACKOFF_SECONDS[attempt - 1] ?? 3);
	return Math.min(Math.max(advised, 1), 60) * 1e3;
}

// src/github/octokit.ts
/** One attempt, its body included, in milliseconds. */
const ATTEMPT_MS = 3e4;
/** The REST version whose documents our schemas follow. */
const API_VERSION = "2022-11-28";
const LONGEST_MESSAGE = 300;
/**
* A client for the repository of this run. `signal` stops it, waits included. Each attempt may take `attemptMs`;
* GET, PATCH and DELETE are sent up to three times after 5xx, 408, lost connections and rate limits, a POST only
* where it was surely not done. An empty token answers every request with `unauthorized`.
*/
function createGitHub(options) {
	const { token, environment, clock, signal, attemptMs = ATTEMPT_MS } = options;
	const { owner, repo, graphqlUrl } = environment;
	const octokit = token === "" ? void 0 : quietOctokit(token, environment.apiUrl);
	async function attempt(request) {
		const { operation, permission, route, parameters, answer } = request;
		const deadline = AbortSignal.timeout(attemptMs);
		const failed = () => ({
			operation,
			permission,
			stopped: signal.aborted,
			timedOut: deadline.aborted
		});
		if (octokit === void 0) return err(failureOf({
			status: 401,
			response: {
				headers: {},
				data: { message: "the token is empty" }
			}
		}, failed(), 0));
		try {
			const response = await octokit(route, {
				owner,
				repo,
				...parameters,
				headers: { "x-github-api-version": API_VERSION },
				request: {
					signal: AbortSignal.any([signal, deadline]),
					redirect: route.startsWith("GET ") ? "follow" : "manual"
				}
			});
			const { status, headers } = response;
			if (status >= 300) return err(nonsense(failed(), status, `a redirect, status ${status}`));
			const data = response.data;
			const parsed = safeParse(answer, data);
			if (parsed.success) return ok({
				data: parsed.output,
				hasNextPage: /;\s*rel="?next"?/.test(headers.link ?? "")
			});
			if (data === "") return err(cutAnswer(failed(), status));
			return err(nonsense(failed(), status, describe(parsed.issues)));
		} catch (thrown) {
			return err(failureOf(thrown, failed(), clock.date().getTime() / 1e3));
		}
	}
	return {
		owner,
		repo,
		graphqlUrl,
		async ask(request) {
			const repeatable = request.repeatable ?? !request.route.startsWith("POST ");
			for (let sends = 1;; sends += 1) {
				const result = await attempt(request);
				if (result.ok) return result;
				const wait = signal.aborted ? void 0 : waitBeforeRetry(result.error, repeatable, sends);
				if (wait === void 0) return err(presentable(result.error.error, token));
				await clock.sleep(wait, signal);
			}
		}
	};
}
function quietOctokit(token, baseUrl) {
	const log = {
		debug: silent,
		info: silent,
		warn: silent,
		error: silent
	};
	const fetch = (...args) => globalThis.fetch(...args);
	const headers = {
		authorization: `token ${token}`,
		"user-agent": "scangate"
	};
	return request.defaults({
		baseUrl,
		headers,
		request: {
			fetch,
			log
		}
	});
}
function silent() {}
function presentable(error, token) {
	const line = (token === "" ? error.message : error.message.replaceAll(token, "***")).replace(/[\s\p{Cc}]+/gu, " ").trim();
	const message = line.length > LONGEST_MESSAGE ? `${line.slice(0, 299).toWellFormed()}…` : line;
	return {
		...error,
		message
	};
}
function describe(issues) {
	return `${getDotPath(issues[0]) ?? "the body"} is missing or malformed`;
}

// node_modules/@actions/core/lib/utils.js
/**
* Sanitizes an input into a string so it can be passed into issueCommand safely
* @param input input to sanitize into a string
*/
function toCommandValue(input) {
	if (input === null || input === void 0) return "";
	else if (typeof input === "string" || input instanceof String) return input;
	return JSON.stringify(input);
}
/**
*
* @param annotationProperties
* @returns The command properties to send with the actual annotation command
* See IssueCommandProperties: https://github.com/actions/runner/blob/main/src/Runner.Worker/ActionCommandManager.cs#L646
*/
function toCommandProperties(annotationProperties) {
	if (!Object.keys(annotationProperties).length) return {};
	return {
		title: annotationProperties.title,
		file: annotationProperties.file,
		line: annotationProperties.startLine,
		endLine: annotationProperties.endLine,
		col: annotationProperties.startColumn,
		endColumn: annotationProperties.endColumn
	};
}

// node_modules/@actions/core/lib/command.js
/**
* Issues a command to the GitHub Actions runner
*
* @param command - The command name to issue
* @param properties - Additional properties for the command (key-value pairs)
* @param message - The message to include with the command
* @remarks
* This function outputs a specially formatted string to stdout that the Actions
* runner interprets as a command. These commands can control workflow behavior,
* set outputs, create annotations, mask values, and more.
*
* Command Format:
*   ::name key=value,key=value::message
*
* @example
* ```typescript
* // Issue a warning annotation
* issueCommand('warning', {}, 'This is a warning message');
* // Output: ::warning::This is a warning message
*
* // Set an environment variable
* issueCommand('set-env', { name: 'MY_VAR' }, 'some value');
* // Output: ::set-env name=MY_VAR::some value
*
* // Add a secret mask
* issueCommand('add-mask', {}, 'secretValue123');
* // Output: ::add-mask::secretValue123
* ```
*
* @internal
* This is an internal utility function that powers the public API functions
* such as setSecret, warning, error, and exportVariable.
*/
function issueCommand(command, properties, message) {
	const cmd = new Command(command, properties, message);
	process.stdout.write(cmd.toString() + os.EOL);
}
function issue(name, message = "") {
	issueCommand(name, {}, message);
}
const CMD_STRING = "::";
var Command = class {
	constructor(command, properties, message) {
		if (!command) command = "missing.command";
		this.command = command;
		this.properties = properties;
		this.message = message;
	}
	toString() {
		let cmdStr = CMD_STRING + this.command;
		if (this.properties && Object.keys(this.properties).length > 0) {
			cmdStr += " ";
			let first = true;
			for (const key in this.properties) if (this.properties.hasOwnProperty(key)) {
				const val = this.properties[key];
				if (val) {
					if (first) first = false;
					else cmdStr += ",";
					cmdStr += `${key}=${escapeProperty(val)}`;
				}
			}
		}
		cmdStr += `${CMD_STRING}${escapeData(this.message)}`;
		return cmdStr;
	}
};
function escapeData(s) {
	return toCommandValue(s).replace(/%/g, "%25").replace(/\r/g, "%0D").replace(/\n/g, "%0A");
}
function escapeProperty(s) {
	return toCommandValue(s).replace(/%/g, "%25").replace(/\r/g, "%0D").replace(/\n/g, "%0A").replace(/:/g, "%3A").replace(/,/g, "%2C");
}

// node_modules/@actions/core/lib/core.js
var __awaiter = void 0 && (void 0).__awaiter || function(thisArg, _arguments, P, generator) {
	function adopt(value) {
		return value instanceof P ? value : new P(function(resolve) {
			resolve(value);
		});
	}
	return new (P || (P = Promise))(function(resolve, reject) {
		function fulfilled(value) {
			try {
				step(generator.next(value));
			} catch (e) {
				reject(e);
			}
		}
		function rejected(value) {
			try {
				step(generator["throw"](value));
			} catch (e) {
				reject(e);
			}
		}
		function step(result) {
			result.done ? resolve(result.value) : adopt(result.value).then(fulfilled, rejected);
		}
		step((generator = generator.apply(thisArg, _arguments || [])).next());
	});
};
/**
* The code to exit an action
*/
var ExitCode;
(function(ExitCode) {
	/**
	* A code indicating that the action was successful
	*/
	ExitCode[ExitCode["Success"] = 0] = "Success";
	/**
	* A code indicating that the action was a failure
	*/
	ExitCode[ExitCode["Failure"] = 1] = "Failure";
})(ExitCode || (ExitCode = {}));
/**
* Registers a secret which will get masked from logs
*
* @param secret - Value of the secret to be masked
* @remarks
* This function instructs the Actions runner to mask the specified value in any
* logs produced during the workflow run. Once registered, the secret value will
* be replaced with asterisks (***) whenever it appears in console output, logs,
* or error messages.
*
* This is useful for protecting sensitive information such as:
* - API keys
* - Access tokens
* - Authentication credentials
* - URL parameters containing signatures (SAS tokens)
*
* Note that masking only affects future logs; any previous appearances of the
* secret in logs before calling this function will remain unmasked.
*
* @example
* ```typescript
* // Register an API token as a secret
* const apiToken = "abc123xyz456";
* setSecret(apiToken);
*
* // Now any logs containing this value will show *** instead
* console.log(`Using token: ${apiToken}`); // Outputs: "Using token: ***"
* ```
*/
function setSecret(secret) {
	issueCommand("add-mask", {}, secret);
}
/**
* Gets the value of an input.
* Unless trimWhitespace is set to false in InputOptions, the value is also trimmed.
* Returns an empty string if the value is not defined.
*
* @param     name     name of the input to get
* @param     options  optional. See InputOptions.
* @returns   string
*/
function getInput(name, options) {
	const val = process.env[`INPUT_${name.replace(/ /g, "_").toUpperCase()}`] || "";
	if (options && options.required && !val) throw new Error(`Input required and not supplied: ${name}`);
	if (options && options.trimWhitespace === false) return val;
	return val.trim();
}
/**
* Adds an error issue
* @param message error issue message. Errors will be converted to string via toString()
* @param properties optional properties to add to the annotation.
*/
function error(message, properties = {}) {
	issueCommand("error", toCommandProperties(properties), message instanceof Error ? message.toString() : message);
}
/**
* Adds a warning issue
* @param message warning issue message. Errors will be converted to string via toString()
* @param properties optional properties to add to the annotation.
*/
function warning(message, properties = {}) {
	issueCommand("warning", toCommandProperties(properties), message instanceof Error ? message.toString() : message);
}
/**
* Adds a notice issue
* @param message notice issue message. Errors will be converted to string via toString()
* @param properties optional properties to add to the annotation.
*/
function notice(message, properties = {}) {
	issueCommand("notice", toCommandProperties(properties), message instanceof Error ? message.toString() : message);
}
/**
* Writes info to log with console.log.
* @param message info message
*/
function info(message) {
	process.stdout.write(message + os.EOL);
}
/**
* Begin an output group.
*
* Output until the next `groupEnd` will be foldable in this group
*
* @param name The name of the output group
*/
function startGroup(name) {
	issue("group", name);
}
/**
* End an output group.
*/
function endGroup() {
	issue("endgroup");
}
/**
* Gets the value of an state set by this action's main execution.
*
* @param     name     name of the state to get
* @returns   string
*/
function getState(name) {
	return process.env[`STATE_${name}`] || "";
}

// src/domain/not-scanned.ts
/** Why there is no completed scan. `configuration` and `unsupported-event` are last: see `ALLOWABLE_REASONS`. */
const REASONS = [
	"missing-token",
	"untrusted-fork",
	"insufficient-credits",
	"rate-limited",
	"initializing",
	"timeout",
	"scan-failed",
	"scan-cancelled",
	"launch-unknown",
	"service-error",
	"unsupported-event",
	"configuration"
];
/** A wrong setup is never allowed to pass: it would pass for ever. */
const ALLOWABLE_REASONS = REASONS.filter((reason) => reason !== "configuration");

// src/domain/severity.ts
/** The levels a maintainer can name, worst first. The one home of their order. */
const SEVERITY_LEVELS = [
	"critical",
	"high",
	"medium",
	"low",
	"info"
];
const LEVEL_OF_WORD = /* @__PURE__ */ new Map([
	["CRITICAL", "critical"],
	["HIGH", "high"],
	["MEDIUM", "medium"],
	["LOW", "low"],
	["INFO", "info"],
	["INFORMATIONAL", "info"],
	["NONE", "info"]
]);
/** Reads the service's word, in any case. An absent or unknown word is `unknown`. */
function severityOf(word) {
	return {
		level: (word === void 0 ? void 0 : LEVEL_OF_WORD.get(word.trim().toUpperCase())) ?? "unknown",
		word: word ?? ""
	};
}
/** Counts by upper-case level, every known level present. */
function countSeverities(severities) {
	const counts = {};
	for (const level of SEVERITY_LEVELS) counts[level.toUpperCase()] = 0;
	for (const { level } of severities) {
		const key = level.toUpperCase();
		counts[key] = (counts[key] ?? 0) + 1;
	}
	return counts;
}

// src/domain/target.ts
/** Full commit ids only: SHA-1 or SHA-256, lower case hexadecimal. */
function isCommitId(value) {
	return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(value);
}

// src/domain/verdict.ts
const EVIDENCE_LEVELS = [
	"any",
	"confirmed",
	"poc"
];
const NO_FINDINGS = {
	reported: [],
	blocking: [],
	below: [],
	triaged: [],
	withoutEvidence: [],
	total: 0,
	counts: countSeverities([]),
	highest: void 0
};

// src/inputs.ts
/** The defaults that `action.yml` declares: an input that is set to nothing means its default, never an open gate. */
const INPUT_DEFAULTS = {
	"severity-threshold": "medium",
	"fail-on": "high",
	"fail-on-evidence": "any",
	"allow-unscanned": "none",
	annotations: "auto",
	"check-name": "Security scan",
	comment: "on-findings",
	publish: "never",
	"publish-password": "true",
	"timeout-minutes": "60"
};
/** A check run's name is shown in one line; ours, as GitHub names no limit. */
const LONGEST_CHECK_NAME = 100;
/** Five days: the longest that GitHub lets a job run, on a self-hosted runner. */
const LONGEST_TIMEOUT_MINUTES = 7200;
/** Below this the part after the last underscore is too short to be a secret, and masking it would mask words. */
const SHORTEST_SECRET = 8;
/**
* Reads and checks all inputs. The tokens are masked before anything else is looked at.
* @param workspace absolute path of the job's workspace
*/
function readInputs(workspace, source = {
	getInput,
	setSecret
}) {
	const apiToken = source.getInput("api-token");
	const githubToken = source.getInput("github-token");
	for (const secret of [
		apiToken,
		secretPart(apiToken),
		githubToken
	]) if (secret !== "") source.setSecret(secret);
	const faults = [];
	const fault = (name, sentence) => void faults.push(`Input \`${name}\` ${sentence}`);
	const text = (name) => source.getInput(name).trim() || void 0;
	const withDefault = (name) => text(name) ?? INPUT_DEFAULTS[name];
	const word = (name, legal, otherwise) => {
		const given = withDefault(name);
		const found = legal.find((candidate) => candidate === given.toLowerCase());
		if (found === void 0) fault(name, `is ${quote(given)}; legal values: ${legal.join(", ")}.`);
		return found ?? otherwise;
	};
	const wholeNumber = (name, given, least, most) => {
		if (given === void 0) return void 0;
		const value = /^\d{1,15}$/.test(given) ? Number(given) : NaN;
		if (value >= least && value <= most) return value;
		fault(name, `is ${quote(given)}; legal values: a whole number from ${least} to ${most}.`);
	};
	if (/[^!-~]/.test(apiToken)) fault("api-token", "holds spaces or line breaks that no token has; check how the secret was stored.");
	if (githubToken === "") fault("github-token", "is empty; leave it out to use the workflow's own token.");
	const baseUrl = readBaseUrl(text("base-url"), (sentence) => fault("base-url", sentence));
	const checkName = withDefault("check-name");
	if (checkName.length > LONGEST_CHECK_NAME || /\p{Cc}/u.test(checkName)) fault("check-name", `has to be one line of at most ${LONGEST_CHECK_NAME} characters.`);
	const baseCommit = text("base-commit")?.toLowerCase();
	if (baseCommit !== void 0 && !isCommitId(baseCommit)) fault("base-commit", `is ${quote(baseCommit)}; legal values: a full commit id of 40 or 64 hexadecimal digits.`);
	const reportFile = text("report-file");
	if (reportFile !== void 0 && !isInside(workspace, reportFile)) fault("report-file", `is ${quote(reportFile)}; it has to name a file inside the workspace.`);
	return {
		inputs: {
			baseUrl,
			apiToken,
			githubToken,
			projectId: text("project-id"),
			repositoryId: text("repository-id"),
			preset: text("preset"),
			creditBudget: wholeNumber("credit-budget", text("credit-budget"), 1, Number.MAX_SAFE_INTEGER),
			baseCommit,
			launchParameters: readObject(text("launch-parameters"), (sentence) => fault("launch-parameters", sentence)),
			policy: {
				severityThreshold: word("severity-threshold", SEVERITY_LEVELS, "medium"),
				failOn: word("fail-on", [...SEVERITY_LEVELS, "none"], "high"),
				failOnEvidence: word("fail-on-evidence", EVIDENCE_LEVELS, "any"),
				allowUnscanned: readReasons(withDefault("allow-unscanned"), (sentence) => fault("allow-unscanned", sentence))
			},
			annotations: word("annotations", ["auto", "off"], "auto"),
			checkName: checkName.slice(0, LONGEST_CHECK_NAME),
			comment: word("comment", [
				"always",
				"on-findings",
				"never"
			], "on-findings"),
			publish: word("publish", [
				"never",
				"on-findings",
				"always"
			], "never"),
			publishPassword: word("publish-password", ["true", "false"], "true") === "true",
			reportFile: reportFile === void 0 ? void 0 : path.resolve(workspace, reportFile),
			timeoutMinutes: wholeNumber("timeout-minutes", withDefault("timeout-minutes"), 1, LONGEST_TIMEOUT_MINUTES) ?? Number(INPUT_DEFAULTS["timeout-minutes"])
		},
		faults,
		notices: apiToken !== "" && !/_proj_[^_]+_./.test(apiToken) ? ["Input `api-token` does not look like a project API token (`…_proj_<keyId>_<secret>`)."] : []
	};
}
function secretPart(token) {
	const part = token.slice(token.lastIndexOf("_") + 1);
	return part !== token && part.length >= SHORTEST_SECRET ? part : "";
}
function readBaseUrl(given, fault) {
	const form = "an https address ending in `/api/v1` (http only to a loopback host), without user, query or fragment";
	if (given === void 0) {
		fault(`is empty; legal values: ${form}.`);
		return "";
	}
	const url = URL.parse(given);
	if (url !== null && (url.protocol === "https:" || url.protocol === "http:" && isLoopback(url.hostname)) && url.username === "" && url.password === "" && !/[?#]/.test(given) && /\/api\/v1\/?$/.test(url.pathname)) return `${url.origin}${url.pathname.replace(/\/$/, "")}`;
	fault(`is not ${form}.`);
	return "";
}
function isLoopback(host) {
	return host === "localhost" || host === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(host);
}
function readObject(given, fault) {
	if (given === void 0) return {};
	try {
		const value = JSON.parse(given);
		if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
	} catch {}
	fault("is not a JSON object such as `{\"commit\": null, \"commitSha\": \"…\"}`.");
	return {};
}
function readReasons(given, fault) {
	const words = given.split(/[,\n]/).map((word) => word.trim().toLowerCase()).filter((word) => word !== "");
	if (words.length === 1 && words[0] === "none") return [];
	const reasons = [];
	for (const word of words) {
		const reason = ALLOWABLE_REASONS.find((candidate) => candidate === word);
		if (reason === void 0) {
			const why = word === "configuration" ? " (a wrong setup is never allowed to pass)" : "";
			fault(`holds ${quote(word)}${why}; legal values: none, or any of ${ALLOWABLE_REASONS.join(", ")}.`);
		} else reasons.push(reason);
	}
	return reasons;
}
function isInside(folder, file) {
	const relative = path.relative(folder, path.resolve(folder, file));
	return relative !== "" && relative !== ".." && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}
function quote(value) {
	return `"${value.length > 60 ? `${value.slice(0, 60)}…` : value}"`;
}

// src/report/visible-text.ts
/** Everything that a reader cannot see: controls, format characters (bidi, zero-width, tags), line separators. */
const INVISIBLE$1 = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]+/gu;
const INVISIBLE_BUT_LINES = /(?:(?![\n\t])[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}])+/gu;
/** One line: what cannot be seen is shown as `⟨U+202E⟩`, a tab as a space, a lone surrogate as U+FFFD. */
function visibleLine(text) {
	return text.toWellFormed().replaceAll("	", " ").replace(INVISIBLE$1, codePointsShown());
}
/** The same for several lines: line feeds and tabs stay, CR LF becomes LF. */
function visibleLines(text) {
	return text.toWellFormed().replaceAll("\r\n", "\n").replace(INVISIBLE_BUT_LINES, codePointsShown());
}
/** The visible stand-in of one character, for example `⟨U+001B⟩`. */
function codePointShown(character) {
	return `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`;
}
/** Replaces runs of characters. A megabyte of them is a hostile text: remembering each makes it much faster. */
function codePointsShown() {
	const known = /* @__PURE__ */ new Map();
	return (characters) => {
		let shown = "";
		for (const character of characters) {
			const name = known.get(character) ?? codePointShown(character);
			known.set(character, name);
			shown += name;
		}
		return shown;
	};
}

// src/report/log-text.ts
/** The runner obeys `::command::` at the start of a line, after white space. */
const COMMAND_AT_START = /^([^\S\n]*):(?=:)/gm;
/** The runner obeys the older `##[command]` anywhere in a line. */
const OLD_COMMAND = /##(?=\[)/g;
/** One line: line breaks, ANSI sequences, control and bidi characters are shown; nothing is a command. */
function logLine(text) {
	return trusted(harmless(visibleLine(text)));
}
/** Several lines: as `logLine`, but line feeds (and CR LF) stay. */
function logLines(text) {
	return trusted(harmless(visibleLines(text)));
}
function harmless(lines) {
	return lines.replace(COMMAND_AT_START, (_, space) => space + codePointShown(":")).replace(OLD_COMMAND, `#${codePointShown("#")}`);
}
function trusted(text) {
	return text;
}

// src/log.ts
/**
* GitHub's documents on workflow commands: "10 warning annotations, 10 error annotations, and 10 notice annotations
* per step". Warnings and errors without a place count too; what is beyond is shown in the log only.
*/
const ANNOTATIONS_PER_LEVEL = 10;
/** The log of this process' step. */
function createRunnerLog() {
	const used = {
		failure: 0,
		warning: 0,
		notice: 0
	};
	return {
		info: (text) => info(logLines(text)),
		warning: (text) => {
			used.warning += 1;
			warning(logLines(text));
		},
		error: (text) => {
			used.failure += 1;
			error(logLines(text));
		},
		group: (title, lines) => {
			startGroup(logLine(title));
			for (const line of lines) info(logLines(line));
			endGroup();
		},
		annotate: ({ path, startLine, endLine, level, title, message }) => {
			if (used[level] >= ANNOTATIONS_PER_LEVEL) return false;
			used[level] += 1;
			const place = {
				file: path,
				startLine,
				endLine,
				title: logLine(title)
			};
			const text = logLines(message);
			if (level === "failure") error(text, place);
			else if (level === "warning") warning(text, place);
			else notice(text, place);
			return true;
		},
		mask: (secret) => {
			if (secret !== "") setSecret(secret);
		}
	};
}

// src/proxy.ts
const VARIABLES = [
	"HTTPS_PROXY",
	"https_proxy",
	"HTTP_PROXY",
	"http_proxy"
];
/**
* Lets every request honour the proxy variables; Node's `fetch` ignores them by itself.
* Undefined when all is well; a stop where they are set but cannot be honoured, since going around a proxy in
* silence would only fail later, or leak.
*/
function useProxy(env, node) {
	const named = VARIABLES.find((name) => env[name]);
	if (named === void 0) return void 0;
	const http = node ?? process.getBuiltinModule("node:http");
	const honour = Reflect.get(http, "setGlobalProxyFromEnv");
	if (typeof honour !== "function") return {
		reason: "configuration",
		cause: `${named} is set, but this runner's Node ${process.versions.node} cannot honour it.`,
		nextStep: "Update the runner to one with Node 24.14 or later, or unset the variable for this step."
	};
	try {
		honour(env);
		return;
	} catch {
		return {
			reason: "configuration",
			cause: `${named} or another proxy variable is not an address that Node understands.`,
			nextStep: "Correct the proxy variables of the runner, for example `http://proxy.example:3128`."
		};
	}
}

// src/domain/scan.ts
const TERMINAL = /* @__PURE__ */ new Set([
	"COMPLETED",
	"FAILED",
	"CANCELLED"
]);
function isTerminal(status) {
	return TERMINAL.has(status);
}

// src/domain/stop.ts
/** Why our own work was stopped: the abort reason of the run's signal. */
var Stop = class {
	cause;
	constructor(cause) {
		this.cause = cause;
	}
};
/** Why the signal was aborted; undefined while it is not. */
function stopCause(signal) {
	if (!signal.aborted) return void 0;
	const reason = signal.reason;
	return reason instanceof Stop ? reason.cause : "signal";
}
/** The words for work that was stopped. @param what a clause that says what came of it */
function explainStop(by, what) {
	return by === "timeout" ? {
		reason: "timeout",
		cause: `The time of the input \`timeout-minutes\` ran out: ${what}.`,
		nextStep: "Raise `timeout-minutes`, or run the job again when the service is less busy."
	} : {
		reason: "scan-cancelled",
		cause: `The job was cancelled: ${what}.`,
		nextStep: "Run the job again if the result is still wanted.",
		bySignal: true
	};
}

// src/scan-api/explain-connection.ts
const CHECK_STATUS = "Check the status page of the scanning service and run the job again; check also that `base-url` is the address of its API.";
const NONSENSE = {
	redirect: {
		cause: "the address answers with a redirect, which is not followed",
		nextStep: "Set `base-url` to the final address of the service; a proxy or a login page in between redirects too."
	},
	oversize: {
		cause: "the answer is larger than this action reads",
		nextStep: CHECK_STATUS
	},
	"not-json": {
		cause: "the answer is not JSON",
		nextStep: "Something other than the service seems to answer (a proxy, a login page, a maintenance page). Check that `base-url` ends in `/api/v1` of the service, and the status page of the service."
	},
	"wrong-shape": {
		cause: "the answer is not what the contract of version 1 describes",
		nextStep: "Check that `base-url` is the address of the service; if it is, tell the maintainers of this action."
	},
	"shifting-list": {
		cause: "the list keeps changing while it is read",
		nextStep: "Run the job again; if it stays so, ask the support of the scanning service."
	}
};
const UNREACHABLE = {
	dns: {
		cause: "its host name cannot be resolved",
		nextStep: "Check the spelling of `base-url` and that the runner can resolve that name."
	},
	refused: {
		cause: "the connection is refused",
		nextStep: "Check `base-url` and that a firewall or proxy lets the runner through."
	},
	"connect-timeout": {
		cause: "no connection comes about",
		nextStep: "Check that a firewall or proxy lets the runner reach `base-url` (`HTTPS_PROXY`, `NO_PROXY`)."
	},
	timeout: {
		cause: "no complete answer comes in time",
		nextStep: CHECK_STATUS
	},
	reset: {
		cause: "the connection is cut",
		nextStep: CHECK_STATUS
	},
	certificate: {
		cause: "its certificate cannot be verified",
		nextStep: "Where the service or a proxy uses a certificate authority of your own, name its file in the environment variable `NODE_EXTRA_CA_CERTS`; otherwise check `base-url`."
	},
	proxy: {
		cause: "the proxy refuses to connect",
		nextStep: "Check `HTTPS_PROXY` and `NO_PROXY` of the runner, and that the proxy allows `base-url`."
	},
	other: {
		cause: "the connection fails",
		nextStep: CHECK_STATUS
	}
};
function explainNonsense(error) {
	const { cause, nextStep } = NONSENSE[error.problem];
	return {
		reason: "service-error",
		cause: `Could not ${error.operation}: ${cause} (HTTP ${error.status}, ${error.detail}).`,
		nextStep
	};
}
function explainUnreachable(error) {
	const { cause, nextStep } = UNREACHABLE[error.cause];
	return {
		reason: "service-error",
		cause: `Could not ${error.operation}, the service is out of reach: ${cause} (${error.detail}).`,
		nextStep
	};
}

// src/scan-api/foreign-text.ts
/** Room for one sentence of the service. */
const LONGEST = 200;
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu;
/** Foreign text as one line of at most 200 characters without anything invisible; a cut is shown by an ellipsis. */
function foreignLine(text, longest = LONGEST) {
	const characters = [...text.toWellFormed().replace(INVISIBLE, " ").trim().slice(0, 2 * longest + 2)];
	return characters.length <= longest ? characters.join("") : `${characters.slice(0, longest - 1).join("")}…`;
}

// src/scan-api/explain-error.ts
const SETTINGS = "the project's integration settings of the scanning service";
/** The scope that an operation needs, as the contract gives it. */
const SCOPE_OF = /* @__PURE__ */ new Map([
	["launch the scan", "scans:launch"],
	["cancel the scan", "scans:launch"],
	["publish the scan", "publish"]
]);
/** One row per code of the service. */
const ROWS = /* @__PURE__ */ new Map([
	["unauthorized", (error) => ({
		reason: "configuration",
		cause: `The service does not accept the input \`api-token\`: could not ${error.operation}.`,
		nextStep: `The token is invalid, expired or revoked, or its project is archived; a project admin creates a new one in ${SETTINGS}, and the secret behind \`api-token\` is set to it. Check also that \`base-url\` is the environment the token was made for.`
	})],
	["forbidden", (error) => missingScope(SCOPE_OF.get(error.operation) ?? "read", `could not ${error.operation}`)],
	["not_found", (error) => ({
		reason: "configuration",
		cause: `The service does not know what was asked for: could not ${error.operation}${said(error)}.`,
		nextStep: "Either it does not exist, or it is outside the token's project or repository allowlist (the service does not say which): check `project-id` and `repository-id`, and ask a project admin what `api-token` may reach."
	})],
	["insufficient_credits", (_error, { creditBudget }) => ({
		reason: "insufficient-credits",
		cause: `The organization's prepaid credit balance cannot cover this scan (${budgetOf(creditBudget)}).`,
		nextStep: "Whoever manages the organization buys credits, or the input `credit-budget` is lowered, as far as the preset allows."
	})],
	["rate_limited", (error) => rateLimited(error)],
	["diff_base_required", (error) => ({
		reason: "configuration",
		cause: `The preset scans a change and the service got no base commit${said(error)}.`,
		nextStep: "Check that `launch-parameters` does not remove or rename `baseCommit`; the input `base-commit` sets it."
	})],
	["diff_base_not_allowed", (error) => ({
		reason: "configuration",
		cause: `The preset does not take a base commit, so it scans more than the change${said(error)}.`,
		nextStep: "Name a diff preset in the input `preset`."
	})],
	["diff_base_invalid", (error) => ({
		reason: "configuration",
		cause: `The service does not know the base commit${said(error)}.`,
		nextStep: "Check that the input `base-commit`, where it is set, names a commit of this repository, and that `repository-id` names this repository in the service."
	})],
	["diff_empty", (error) => ({
		reason: "configuration",
		cause: `The service sees no change between the base and the scanned commit${said(error)}.`,
		nextStep: "Check that the service scans the commit it was told to: where it names the field `commit` differently, the input `launch-parameters` sets it."
	})],
	["repository_initializing", () => ({
		reason: "initializing",
		cause: "The service is still analyzing this repository for the first time.",
		nextStep: "Run the job again when the repository is ready in the service, or raise `timeout-minutes`."
	})],
	["conflict", (error) => ({
		reason: "service-error",
		cause: `Something else changed the same thing at the same time: could not ${error.operation}${said(error)}.`,
		nextStep: "Run the job again."
	})],
	["bad_request", (error) => ({
		reason: "configuration",
		cause: `The service calls the request invalid: could not ${error.operation}${said(error)}.`,
		nextStep: "Check `preset`, `credit-budget` and `base-commit`; where the service names a launch field differently, the input `launch-parameters` corrects it."
	})],
	["internal", (error) => ({
		reason: "service-error",
		cause: `The service failed on its own side: could not ${error.operation}${said(error)}.`,
		nextStep: "Run the job again later; if it keeps failing, ask the support of the scanning service."
	})]
]);
/** Why nothing was scanned, and what mends it. The sentences may hold foreign text: one line, cut, without the token. */
function explainApiError(error, context = {}) {
	switch (error.kind) {
		case "refused": return (ROWS.get(error.code) ?? unknownCode)(error, context);
		case "nonsense": return error.status === 429 ? rateLimited(error) : explainNonsense(error);
		case "unreachable": return explainUnreachable(error);
		case "stopped": return explainStop(error.by, `could not ${error.operation} any more`);
	}
}
function missingScope(scope, what) {
	return {
		reason: "configuration",
		cause: `The token lacks the scope \`${scope}\`: ${what}.`,
		nextStep: `A project admin creates a token with the scope \`${scope}\` in ${SETTINGS}, and the secret behind \`api-token\` is set to it.`
	};
}
function rateLimited(error) {
	const wait = error.retryAfterSeconds;
	const advice = wait === void 0 ? "" : ` It asks to wait ${duration(wait)}.`;
	const launch = error.operation === "launch the scan";
	return {
		reason: "rate-limited",
		cause: `The service refuses for now: could not ${error.operation}; ${launch ? "the token's request ceiling, or its spend limit for this billing period, is reached" : "the token's request ceiling is reached"}.${advice}`,
		nextStep: `Run the job again later${launch ? `; a project admin sees the token's spend limit in ${SETTINGS}` : ""}.`
	};
}
function unknownCode(error) {
	return {
		reason: "service-error",
		cause: `The service refused with HTTP ${error.status} and the unknown code "${foreignLine(error.code, 60)}": could not ${error.operation}${said(error)}.`,
		nextStep: "Run the job again later; if it keeps failing, ask the support of the scanning service."
	};
}
/** The service's own sentence, marked as such. */
function said({ message }) {
	const line = foreignLine(message);
	return line === "" ? "" : ` (it says: "${line}")`;
}
function budgetOf(credits) {
	return credits === void 0 ? "the service's default floor" : `budget: ${credits} credits`;
}
/** For people: seconds up to two minutes, then minutes, then hours. */
function duration(seconds) {
	if (seconds < 120) return `${Math.ceil(seconds)} s`;
	return seconds < 7200 ? `${Math.ceil(seconds / 60)} minutes` : `${Math.ceil(seconds / 3600)} hours`;
}

// src/scan/cancel.ts
/**
* Cancels a scan of ours, so that its reservation is released; work already done is still charged. Where the service
* refuses or the answer is lost, the scan itself is asked what became of it.
*/
async function cancelScan(api, projectId, scanId) {
	const answer = await api.cancel(projectId, scanId);
	if (answer.ok) return { kind: "cancelled" };
	const read = await api.scan(projectId, scanId);
	if (read.ok && isTerminal(read.value.scan.status)) {
		const { status } = read.value.scan;
		const refused = answer.error.kind === "refused";
		return status === "CANCELLED" && !refused ? { kind: "cancelled" } : {
			kind: "already-terminal",
			status
		};
	}
	return {
		kind: "failed",
		cause: explainApiError(answer.error).cause
	};
}

// src/scan-api/retry.ts
const SHORTEST_WAIT_MS = 1e3;
const LONGEST_WAIT_MS = 6e4;
const LARGEST_JITTER_MS = 19e3;
function classify(error) {
	switch (error.kind) {
		case "stopped": return "stopped";
		case "unreachable":
			if (error.cause === "certificate") return "definite";
			return error.sent === "no" ? "not-sent" : "ambiguous";
		case "refused":
			if (error.tooFresh) return "ambiguous";
			if (error.code === "rate_limited") return "rate-limited";
			return ofStatus(error.status);
		case "nonsense":
			if (error.problem === "not-json" || error.problem === "wrong-shape") return ofStatus(error.status);
			return "definite";
	}
}
function ofStatus(status) {
	if (status === 429) return "rate-limited";
	return status < 400 || status === 408 || status >= 500 ? "ambiguous" : "definite";
}
/**
* Milliseconds before the next try after `failures` failures (1 or more): what the service advises, otherwise one
* second and a random part that doubles; 1 to 60 seconds in any case.
*/
function waitAfterFailure(error, failures, random) {
	const advised = retryAfterOf(error);
	const jitter = random() * Math.min(LARGEST_JITTER_MS, 2 ** failures * 1e3);
	const wait = advised === void 0 ? SHORTEST_WAIT_MS + jitter : advised * 1e3;
	return Math.min(Math.max(wait, SHORTEST_WAIT_MS), LONGEST_WAIT_MS);
}
/** Seconds, finite and positive; undefined where the answer advised nothing. */
function retryAfterOf(error) {
	return error.kind === "refused" || error.kind === "nonsense" ? error.retryAfterSeconds : void 0;
}

// src/scan-api/attempts.ts
function createPause(clock, signal) {
	let until = clock.now();
	return {
		async over() {
			while (clock.now() < until && !signal.aborted) await clock.sleep(until - clock.now(), signal);
		},
		extend(ms) {
			until = Math.max(until, clock.now() + ms);
		}
	};
}
/** Calls, and calls again after a wait while the policy allows it. */
async function attemptPolitely(policy, call) {
	const { clock, signal, random, pause } = policy;
	for (let attempt = 1;; attempt++) {
		await pause.over();
		const answer = await call();
		if (answer.ok) return answer;
		const failure = classify(answer.error);
		const repeatable = failure === "not-sent" || failure === "rate-limited" || failure === "ambiguous" && policy.repeatAmbiguous;
		const wait = waitAfterFailure(answer.error, attempt, random);
		if (failure === "rate-limited") pause.extend(wait);
		if (!repeatable || attempt >= policy.attempts) return answer;
		if (failure !== "rate-limited") await clock.sleep(wait, signal);
	}
}

// src/domain/redact.ts
/** What stands where a secret stood. */
const REDACTED = "***";
/** Below this the part after the last underscore is too short to be a secret; hiding it would hide words. */
const SHORTEST_SECRET_PART = 8;
/**
* Makes a function that hides the secret wherever a text echoes it: as it is, its part after the last underscore,
* URL-encoded, and base64 at any alignment (so also inside a longer encoded text). Letter case is ignored.
*/
function redactor(secret) {
	const part = secret.slice(secret.lastIndexOf("_") + 1);
	const secrets = [secret, ...part.length >= SHORTEST_SECRET_PART ? [part] : []].filter((s) => s !== "");
	const forms = new Set(secrets.flatMap((s) => [
		s,
		encoded(s),
		...base64Forms(s)
	]));
	if (forms.size === 0) return (text) => text;
	const longestFirst = [...forms].sort((a, b) => b.length - a.length);
	const pattern = new RegExp(longestFirst.map(literally).join("|"), "gi");
	return (text) => text.replace(pattern, "***");
}
function literally(text) {
	return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}
function encoded(secret) {
	return encodeURIComponent(secret.toWellFormed());
}
/** The characters of the encoding that depend on the secret alone, for each of the three places it can begin at. */
function base64Forms(secret) {
	return [
		0,
		1,
		2
	].flatMap((before) => {
		const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
		const first = Math.ceil(before * 8 / 6);
		const end = Math.floor(bytes.length * 8 / 6);
		const form = bytes.toString("base64").slice(first, end);
		if (form.length < SHORTEST_SECRET_PART) return [];
		return [form, form.replaceAll("+", "-").replaceAll("/", "_")];
	});
}

// src/scan-api/connection-error.ts
/** Codes of Node and undici. What is not listed here stays `unknown`: a launch is never sent twice on a guess. */
const FAULTS = /* @__PURE__ */ new Map([
	["ENOTFOUND", ["no", "dns"]],
	["EAI_AGAIN", ["no", "dns"]],
	["ECONNREFUSED", ["no", "refused"]],
	["UND_ERR_CONNECT_TIMEOUT", ["no", "connect-timeout"]],
	["ECONNRESET", ["unknown", "reset"]],
	["EPIPE", ["unknown", "reset"]],
	["UND_ERR_SOCKET", ["unknown", "reset"]],
	["UND_ERR_RES_CONTENT_LENGTH_MISMATCH", ["unknown", "reset"]],
	["ETIMEDOUT", ["unknown", "timeout"]],
	["UND_ERR_HEADERS_TIMEOUT", ["unknown", "timeout"]],
	["UND_ERR_BODY_TIMEOUT", ["unknown", "timeout"]],
	["UND_ERR_PRX_TLS", ["no", "proxy"]]
]);
/** The same codes mean "never connected" when the system call that failed is `connect`. */
const NEVER_CONNECTED = /* @__PURE__ */ new Map([
	["ETIMEDOUT", "connect-timeout"],
	["EHOSTUNREACH", "other"],
	["ENETUNREACH", "other"],
	["EADDRNOTAVAIL", "other"]
]);
/** OpenSSL's and Node's words for a certificate that does not hold; the request is not sent before that check. */
const CERTIFICATE = /^(?:(?:DEPTH_ZERO_)?SELF_SIGNED_CERT|UNABLE_TO_(?:GET|VERIFY|DECRYPT|DECODE)_|CERT_|CRL_|ERR_TLS_CERT|ERROR_IN_CERT|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED)/;
/** How undici says that a proxy refused the tunnel: nothing reached the service. */
const PROXY_REFUSED = /^proxy response/i;
/** Reads what `fetch` threw: it hides the cause in `error.cause`, and several addresses in an `AggregateError`. */
function readConnectionError(thrown) {
	const faults = rootCauses(thrown).map(readOne);
	const [first] = faults;
	if (first === void 0) return {
		sent: "unknown",
		cause: "other",
		detail: String(thrown)
	};
	const doubtful = faults.find(({ sent }) => sent === "unknown");
	const details = new Set(faults.map(({ detail }) => detail));
	return {
		...doubtful ?? first,
		detail: [...details].join("; ")
	};
}
function readOne(error) {
	const code = property(error, "code") ?? "";
	const detail = error.message.includes(code) ? error.message : `${code}: ${error.message}`;
	const neverConnected = property(error, "syscall") === "connect" ? NEVER_CONNECTED.get(code) : void 0;
	if (neverConnected !== void 0) return {
		sent: "no",
		cause: neverConnected,
		detail
	};
	if (CERTIFICATE.test(code)) return {
		sent: "no",
		cause: "certificate",
		detail
	};
	if (PROXY_REFUSED.test(error.message)) return {
		sent: "no",
		cause: "proxy",
		detail
	};
	const [sent, cause] = FAULTS.get(code) ?? ["unknown", "other"];
	return {
		sent,
		cause,
		detail
	};
}
/** The errors at the end of the chain of causes; deeper than five is no chain that Node makes. */
function rootCauses(thrown, depth = 0) {
	if (!(thrown instanceof Error)) return [];
	if (thrown instanceof AggregateError && depth < 5) return thrown.errors.flatMap((error) => rootCauses(error, depth + 1));
	const deeper = depth < 5 ? rootCauses(thrown.cause, depth + 1) : [];
	return deeper.length > 0 ? deeper : [thrown];
}
function property(error, name) {
	const value = Reflect.get(error, name);
	return typeof value === "string" ? value : void 0;
}

// src/scan-api/retry-after.ts
/** The three forms of an HTTP date: IMF-fixdate, RFC 850, asctime (RFC 9110, 5.6.7). */
const HTTP_DATES = [
	/^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/,
	/^[A-Z][a-z]+day, \d\d-[A-Z][a-z]{2}-\d\d \d\d:\d\d:\d\d GMT$/,
	/^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/
];
const SECONDS = /^\d+(?:\.\d+)?$/;
/**
* Reads a `Retry-After` header: seconds or an HTTP date.
* @returns seconds from now, finite and positive; undefined where the header is absent or means nothing
*/
function parseRetryAfter(header, now) {
	const value = header?.trim() ?? "";
	const seconds = SECONDS.test(value) ? Number(value) : secondsUntil(value, now);
	return Number.isFinite(seconds) && seconds > 0 ? seconds : void 0;
}
function secondsUntil(value, now) {
	if (!HTTP_DATES.some((form) => form.test(value))) return NaN;
	return (Date.parse(value.endsWith("GMT") ? value : `${value} GMT`) - now.getTime()) / 1e3;
}

// src/scan-api/decode.ts
/** Parses a body. The fault names the member and never repeats what was received. */
function decode(schema, json) {
	const result = safeParse(schema, json, { abortEarly: true });
	if (result.success) return ok(result.output);
	const [issue] = result.issues;
	const member = getDotPath(issue) ?? "body";
	if (issue.received === "undefined") return err(`\`${member}\` is missing`);
	const wanted = issue.kind === "schema" && issue.type !== "custom" ? issue.expected : issue.message;
	return err(`\`${member}\` is not ${wanted}`);
}

// src/scan-api/lookup.ts
/** An object, but no list. */
function isRecord(value) {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
/** The first of the candidates, each a dotted path of own members (`0` is a list's first), that the reader accepts. */
function firstOf(record, candidates, read) {
	for (const candidate of candidates) {
		const value = read(at(record, candidate));
		if (value !== void 0) return value;
	}
}
function at(record, path) {
	let value = record;
	for (const member of path.split(".")) {
		if (typeof value !== "object" || value === null || !Object.hasOwn(value, member)) return void 0;
		value = Reflect.get(value, member);
	}
	return value;
}
/** A text that is not empty. */
const text = (value) => typeof value === "string" && value !== "" ? value : void 0;
/** A text in upper case, for the service's words. */
const word = (value) => text(value)?.toUpperCase();
/** A commit id, possibly abbreviated; a branch name in its place tells nothing. */
const commitId = (value) => {
	const id = text(value);
	return id !== void 0 && /^[0-9a-f]{7,64}$/i.test(id) ? id.toLowerCase() : void 0;
};
/** A whole number of at least `least`. */
function whole(least) {
	return (value) => typeof value === "number" && Number.isSafeInteger(value) && value >= least ? value : void 0;
}
/** A share as 0..1, whether it was written as 0..1 or as 0..100. */
const share = (value) => {
	if (typeof value !== "number" || !(value >= 0 && value <= 100)) return void 0;
	return value <= 1 ? value : value / 100;
};
/** A list of texts; of records, their `id`. What is neither is left out. */
const ids = (value) => Array.isArray(value) ? value.flatMap((item) => text(item) ?? firstOf(item, ["id"], text) ?? []) : void 0;

// src/scan-api/location.ts
/** The first place that names a file; the lines from there, or from another place that names no other file. */
function readLocation(item, names) {
	const places = names.places.map(([prefix, files]) => {
		const there = (members) => members.map((member) => prefix + member);
		const startLine = firstOf(item, there(names.startLine), whole(1));
		const endLine = startLine === void 0 ? void 0 : firstOf(item, there(names.endLine), whole(startLine));
		return {
			path: firstOf(item, there(files), text),
			startLine,
			endLine
		};
	});
	const path = places.find((place) => place.path !== void 0)?.path;
	if (path === void 0) return void 0;
	const lines = places.filter((place) => place.path === void 0 || place.path === path).find(({ startLine }) => startLine !== void 0);
	return {
		path,
		startLine: lines?.startLine,
		endLine: lines?.endLine
	};
}

// src/scan-api/opaque-id.ts
/** Ids are opaque; ours to refuse what is empty, endless, invisible or walks out of a path. */
const LONGEST_ID = 256;
/** Can this be used as an id: 1 to 256 characters, well-formed, no control characters, not `.` or `..`? */
function isUsableId(value) {
	return typeof value === "string" && value !== "" && value !== "." && value !== ".." && value.isWellFormed() && !/\p{Cc}/u.test(value) && (value.length <= LONGEST_ID || [...value].length <= LONGEST_ID);
}
/**
* An id as one segment of a path.
* @throws for an unusable id: whoever reads ids from outside has to check them first
*/
function pathSegment(id) {
	if (!isUsableId(id)) throw new Error("an unusable id was about to become part of an address");
	return encodeURIComponent(id);
}

// src/scan-api/wire.ts
const id = custom(isUsableId, "a usable id");
const record = custom(isRecord, "an object");
const count = pipe(number(), safeInteger("a whole number"), minValue(0, "at least 0"));
const refusal = object({ error: object({
	code: string(),
	message: unknown()
}) });
const repositories = object({ repositories: array(object({
	id,
	owner: string(),
	name: string(),
	url: string(),
	status: string(),
	readiness: string()
})) });
const presets = object({ presets: array(object({
	ref: id,
	name: string(),
	minCredits: count
})) });
const page = object({
	items: array(record),
	page: count,
	limit: pipe(count, minValue(1, "at least 1")),
	total: count
});
const scanDetail = object({ scan: record });
const findingDetail = object({ finding: record });
const cancelled = object({ status: literal("CANCELLED") });
const published = object({
	publicId: id,
	accessPassword: nullable(string())
});
function decodeRefusal(json) {
	const decoded = decode(refusal, json);
	if (!decoded.ok) return decoded;
	const { code, message } = decoded.value.error;
	return ok({
		code,
		message: text(message) ?? ""
	});
}
function decodeRepositories(json) {
	const decoded = decode(repositories, json);
	return decoded.ok ? ok(decoded.value.repositories) : decoded;
}
function decodePresets(json) {
	const decoded = decode(presets, json);
	return decoded.ok ? ok(decoded.value.presets) : decoded;
}
function decodePage(json) {
	return decode(page, json);
}
function decodeCancelled(json) {
	return decode(cancelled, json);
}
function decodePublished(json) {
	return decode(published, json);
}
const ASSUMED = {
	launchedScan: [
		"scanId",
		"id",
		"scan.id",
		"scan.scanId"
	],
	scan: {
		id: ["id", "scanId"],
		repositoryId: ["repositoryId", "repository.id"],
		presetRef: [
			"presetRef",
			"preset.ref",
			"preset"
		],
		baseCommit: [
			"baseCommit",
			"diffBase",
			"diffBaseCommit",
			"baseSha"
		],
		commit: [
			"commit",
			"commitSha",
			"headCommit",
			"headSha"
		],
		createdAt: [
			"createdAt",
			"queuedAt",
			"startedAt"
		],
		weighted: [
			"weightedCompletion",
			"completion",
			"weighted",
			"percent"
		],
		reserved: [
			"reservedCredits",
			"creditBudget",
			"reserved",
			"budget"
		]
	},
	finding: {
		title: [
			"title",
			"name",
			"summary"
		],
		location: {
			places: [
				["", [
					"filePath",
					"path",
					"file"
				]],
				["location.", [
					"path",
					"file",
					"filePath"
				]],
				["locations.0.", [
					"path",
					"file",
					"filePath"
				]]
			],
			startLine: [
				"startLine",
				"lineStart",
				"line",
				"lineNumber"
			],
			endLine: ["endLine", "lineEnd"]
		},
		url: ["url"],
		description: ["description"],
		recommendedFix: [
			"recommendedFix",
			"recommendation",
			"fix",
			"remediation"
		],
		proofOfConcept: ["proofOfConcept", "poc"]
	},
	token: {
		projectId: ["project.id", "projectId"],
		scopes: ["scopes"],
		expiresAt: ["expiresAt"],
		repositoryAllowlist: [
			"repositoryAllowlist",
			"repositories",
			"allowedRepositories"
		],
		spendLimit: ["spendLimit"]
	}
};
const usableId = (value) => isUsableId(value) ? value : void 0;
function decodeToken(json) {
	if (!isRecord(json)) return err("`body` is not an object");
	const names = ASSUMED.token;
	return ok({
		projectId: firstOf(json, names.projectId, usableId),
		scopes: firstOf(json, names.scopes, ids),
		expiresAt: firstOf(json, names.expiresAt, text),
		repositoryAllowlist: firstOf(json, names.repositoryAllowlist, ids),
		spendLimit: firstOf(json, names.spendLimit, whole(0))
	});
}
/** The id of the scan that a 202 announces. */
function decodeLaunched(json) {
	const scanId = firstOf(json, ASSUMED.launchedScan, usableId);
	return scanId === void 0 ? err("no readable scan id") : ok({ scanId });
}
/** A scan's detail. Where it shows no id it is taken for the one that was asked for; another id is nonsense. */
function decodeScan(json, askedFor) {
	const decoded = decode(scanDetail, json);
	if (!decoded.ok) return decoded;
	const { scan } = decoded.value;
	const names = ASSUMED.scan;
	const status = firstOf(scan, ["status"], text);
	if (status === void 0) return err("`scan.status` is not a string");
	if ((firstOf(scan, names.id, text) ?? askedFor) !== askedFor) return err("`scan` is another scan");
	const progress = scan["progress"];
	return ok({
		...subjectOf(scan),
		id: askedFor,
		status,
		progress: {
			phasesCompleted: firstOf(progress, ["phasesCompleted"], whole(0)),
			phasesTotal: firstOf(progress, ["phasesTotal"], whole(0)),
			weighted: firstOf(progress, names.weighted, share),
			reservedCredits: firstOf(progress, names.reserved, whole(0))
		}
	});
}
/** Never fails: what the list does not show of a scan is undefined. */
function readListedScan(item) {
	return {
		...subjectOf(item),
		id: firstOf(item, ASSUMED.scan.id, usableId),
		status: firstOf(item, ["status"], text)
	};
}
/** What a scan looks at, and when it began. */
function subjectOf(scan) {
	const names = ASSUMED.scan;
	return {
		repositoryId: firstOf(scan, names.repositoryId, text),
		presetRef: firstOf(scan, names.presetRef, text),
		baseCommit: firstOf(scan, names.baseCommit, commitId),
		commit: firstOf(scan, names.commit, commitId),
		createdAt: firstOf(scan, names.createdAt, text)
	};
}
/** A finding without a title of its own. */
const UNTITLED = "Untitled finding";
/** Never fails: a finding that shows little is still a finding. */
function readFinding(item) {
	const names = ASSUMED.finding;
	const id = firstOf(item, ["id"], usableId);
	return {
		id,
		label: `ZK-${id === void 0 ? "????????" : [...id].slice(-8).join("")}`,
		severity: severityOf(firstOf(item, ["severity"], text)),
		triage: firstOf(item, ["triageStatus"], word),
		evidence: item["confirmationEvidence"] === null ? null : firstOf(item, ["confirmationEvidence"], word),
		resolution: firstOf(item, ["resolutionStatus"], text),
		title: firstOf(item, names.title, text) ?? "Untitled finding",
		location: readLocation(item, names.location),
		url: firstOf(item, names.url, text),
		description: firstOf(item, names.description, text),
		recommendedFix: firstOf(item, names.recommendedFix, text),
		proofOfConcept: firstOf(item, names.proofOfConcept, text)
	};
}
function decodeFinding(json) {
	const decoded = decode(findingDetail, json);
	return decoded.ok ? ok(readFinding(decoded.value.finding)) : decoded;
}

// src/scan-api/http.ts
/** Ours: long enough for a page of findings on a slow line, short enough that a dead connection is noticed. */
const ATTEMPT_TIMEOUT_MS = 3e4;
/** Ours, counted after decompression: a hundred findings with their details take well under a tenth of it. */
const LARGEST_BODY_BYTES = 10485760;
/** The one place that speaks HTTP with the service. */
function createHttp(options) {
	const { baseUrl, token, clock } = options;
	const redact = redactor(token);
	async function request(call) {
		const { operation, method, path, body, signal } = call;
		const stopped = (sent) => err({
			kind: "stopped",
			operation,
			sent,
			by: stopCause(signal) ?? "signal"
		});
		if (signal.aborted) return stopped("no");
		const deadline = new AbortController();
		const timer = setTimeout(() => deadline.abort(), options.attemptTimeoutMs ?? ATTEMPT_TIMEOUT_MS);
		const attempt = AbortSignal.any([signal, deadline.signal]);
		try {
			return await readAnswer(operation, await (options.fetch ?? globalThis.fetch)(`${baseUrl}${path}`, {
				method,
				redirect: "manual",
				headers: {
					accept: "application/json",
					authorization: `Bearer ${token}`,
					"user-agent": "scangate",
					...body === void 0 ? {} : { "content-type": "application/json" }
				},
				body: body === void 0 ? null : JSON.stringify(body),
				signal: attempt
			}));
		} catch (thrown) {
			if (signal.aborted) return stopped("unknown");
			if (deadline.signal.aborted) return err({
				kind: "unreachable",
				operation,
				sent: "unknown",
				cause: "timeout",
				detail: "no complete answer in time"
			});
			const reading = readConnectionError(thrown);
			return err({
				kind: "unreachable",
				operation,
				...reading,
				detail: foreignLine(redact(reading.detail))
			});
		} finally {
			clearTimeout(timer);
			deadline.abort();
		}
	}
	async function readAnswer(operation, response) {
		const { status } = response;
		const retryAfterSeconds = parseRetryAfter(response.headers.get("retry-after"), clock.date());
		const nonsense = (problem, detail) => err({
			kind: "nonsense",
			operation,
			status,
			problem,
			detail: foreignLine(redact(detail)),
			retryAfterSeconds
		});
		if (status >= 300 && status < 400 || response.type === "opaqueredirect") return nonsense("redirect", redirectTarget(response, baseUrl));
		const text = await readBody(response);
		if (text === void 0) return nonsense("oversize", "more than 10 MiB");
		const json = parseJson(text, redact);
		if (json === void 0) return nonsense("not-json", text.trim() === "" ? "an empty body" : `a body that begins with ${text}`);
		if (response.ok) return ok({
			status,
			json: json.value,
			retryAfterSeconds
		});
		const refusal = decodeRefusal(json.value);
		if (!refusal.ok) return nonsense("wrong-shape", refusal.error);
		const { code, message } = refusal.value;
		return err({
			kind: "refused",
			operation,
			status,
			code,
			message,
			retryAfterSeconds,
			tooFresh: false
		});
	}
	return {
		request,
		redact
	};
}
/** Undefined when there is more than we read. Throws when the connection fails. */
async function readBody(response) {
	const chunks = [];
	let bytes = 0;
	for await (const chunk of response.body ?? []) {
		bytes += chunk.byteLength;
		if (bytes > LARGEST_BODY_BYTES) return void 0;
		chunks.push(chunk);
	}
	return new TextDecoder().decode(Buffer.concat(chunks));
}
/**
* Boxed, because `null` is JSON too. A service, or the code it scanned, may echo the token: no string that holds it
* gets past here, whatever its escapes.
*/
function parseJson(text, redact) {
	try {
		return { value: JSON.parse(text, (_key, value) => typeof value === "string" ? redact(value) : value) };
	} catch {
		return;
	}
}
/** Only the origin and path: a query may carry secrets of somebody else. */
function redirectTarget(response, baseUrl) {
	const location = response.headers.get("location");
	const target = location === null ? null : URL.parse(location, baseUrl);
	return target === null ? "a redirect" : `a redirect to ${target.origin}${target.pathname}`;
}

// src/scan-api/pool.ts
/** Runs `work` over all items, at most `width` at a time. The answers stand in the order of the items. */
async function inPool(items, width, work) {
	const answers = [];
	const queue = items.entries();
	const worker = async () => {
		for (const [index, item] of queue) answers[index] = await work(item);
	};
	await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker));
	return answers;
}

// src/scan-api/paginate.ts
/** Ours: a hundred thousand items at full pages; a list that claims more is refused, never cut. */
const MOST_PAGES = 1e3;
/** Pages asked for at once, after the first. */
const WIDTH = 4;
/** A list that moves while it is read is read again, this often in all. */
const MOST_READINGS = 3;
/**
* Reads a whole list: page 1, then the rest four at a time. Complete means that every page names the same total
* and page size, and that the distinct items are as many as the total.
*/
async function readAll(pages) {
	for (let reading = 1;; reading++) {
		const read = await readOnce(pages);
		if (!read.ok) return read;
		if (read.value !== "shifted") return ok(read.value);
		if (reading === MOST_READINGS) return err(pages.nonsense("shifting-list", `not the same list from page to page, ${reading} times`));
		await pages.beforeReadingAgain();
	}
}
async function readOnce(pages) {
	const first = await readChecked(pages, 1);
	if (!first.ok) return first;
	const { total, limit } = first.value;
	const count = Math.max(1, Math.ceil(total / limit));
	if (count > MOST_PAGES) return err(pages.nonsense("wrong-shape", `a list of ${total} items in pages of ${limit}`));
	const numbers = Array.from({ length: count - 1 }, (_, index) => index + 2);
	let failed = false;
	const rest = await inPool(numbers, WIDTH, async (number) => {
		if (failed) return void 0;
		const page = await readChecked(pages, number);
		failed ||= !page.ok;
		return page;
	});
	const items = [...first.value.items];
	let steady = true;
	for (const page of rest) {
		if (page === void 0) continue;
		if (!page.ok) return page;
		steady &&= page.value.total === total && page.value.limit === limit;
		items.push(...page.value.items);
	}
	const unique = distinct(items, pages.idOf);
	return ok(steady && unique.length === total ? unique : "shifted");
}
/** A service that ignored the page number would repeat one page for ever, and hide the others. */
async function readChecked(pages, number) {
	const page = await pages.readPage(number);
	if (!page.ok || page.value.page === number) return page;
	return err(pages.nonsense("wrong-shape", `page ${page.value.page} in the place of page ${number}`));
}
function distinct(items, idOf) {
	const seen = /* @__PURE__ */ new Set();
	return items.filter((item) => {
		const id = idOf(item);
		if (id === void 0) return true;
		if (seen.has(id)) return false;
		seen.add(id);
		return true;
	});
}

// src/scan-api/wire-writes.ts
function publishBody(gated) {
	return { withPassword: gated };
}

// src/scan-api/client.ts
/** For this long after a 202 a 404 for that scan is a blip: ours, several times what replicas usually need. */
const FRESH_MS = 3e4;
/** Ours: once more after a blip. */
const LIST_ATTEMPTS = 2;
function createScanApi(options) {
	const { baseUrl, clock, signal, random = Math.random } = options;
	const http = createHttp(options);
	const pause = createPause(clock, signal);
	const acceptedAt = /* @__PURE__ */ new Map();
	const nonsense = (operation, status, problem, detail) => ({
		kind: "nonsense",
		operation,
		status,
		problem,
		detail: http.redact(detail),
		retryAfterSeconds: void 0
	});
	function decoded(operation, answer, value) {
		return value.ok ? value : err(nonsense(operation, answer.status, "wrong-shape", value.error));
	}
	async function get(operation, path, decode, { attempts = 4, scanId } = {}) {
		return attemptPolitely({
			clock,
			signal,
			random,
			pause,
			attempts,
			repeatAmbiguous: true
		}, async () => {
			const answer = await http.request({
				operation,
				method: "GET",
				path,
				signal
			});
			if (!answer.ok) return err(freshened(answer.error, scanId));
			const value = decoded(operation, answer.value, decode(answer.value.json));
			return value.ok ? ok({
				value: value.value,
				retryAfterSeconds: answer.value.retryAfterSeconds
			}) : value;
		});
	}
	function freshened(error, scanId) {
		const accepted = scanId === void 0 ? void 0 : acceptedAt.get(scanId);
		const fresh = accepted !== void 0 && clock.now() - accepted < FRESH_MS;
		return error.kind === "refused" && error.status === 404 && fresh ? {
			...error,
			tooFresh: true
		} : error;
	}
	const value = async (read) => {
		const answer = await read;
		return answer.ok ? ok(answer.value.value) : answer;
	};
	const project = (projectId) => `/projects/${pathSegment(projectId)}`;
	const scanPath = (projectId, scanId) => `${project(projectId)}/scans/${pathSegment(scanId)}`;
	return {
		token: () => value(get("read the token", "/token", decodeToken)),
		repositories: (projectId) => value(get("list the repositories", `${project(projectId)}/repositories`, decodeRepositories)),
		presets: (projectId) => value(get("list the presets", `${project(projectId)}/scan-presets`, decodePresets)),
		async scans(projectId) {
			const query = new URLSearchParams({
				page: "1",
				limit: String(100)
			});
			const path = `${project(projectId)}/scans?${query}`;
			const page = await value(get("list the scans", path, decodePage, { attempts: LIST_ATTEMPTS }));
			if (!page.ok) return page;
			const { items, total } = page.value;
			return ok({
				scans: items.map(readListedScan),
				complete: items.length >= total
			});
		},
		async launch(projectId, body) {
			const operation = "launch the scan";
			const path = `${project(projectId)}/scans`;
			const answer = await http.request({
				operation,
				method: "POST",
				path,
				body,
				signal: signal.aborted ? signal : options.launchSignal ?? signal
			});
			if (!answer.ok) return answer;
			const { status, json } = answer.value;
			if (status !== 202) return err(nonsense(operation, status, "wrong-shape", `HTTP ${status}, not 202`));
			const launched = decoded(operation, answer.value, decodeLaunched(json));
			if (launched.ok) acceptedAt.set(launched.value.scanId, clock.now());
			return launched;
		},
		async scan(projectId, scanId) {
			const path = scanPath(projectId, scanId);
			const decode = (json) => decodeScan(json, scanId);
			const answer = await get("read the scan", path, decode, {
				attempts: 1,
				scanId
			});
			if (!answer.ok) return answer;
			const { value: scan, retryAfterSeconds } = answer.value;
			return ok({
				scan,
				retryAfterMs: retryAfterSeconds === void 0 ? void 0 : retryAfterSeconds * 1e3
			});
		},
		cancel: (projectId, scanId) => attemptPolitely({
			clock,
			signal,
			random,
			pause,
			attempts: 4,
			repeatAmbiguous: true
		}, async () => {
			const operation = "cancel the scan";
			const path = `${scanPath(projectId, scanId)}/cancel`;
			const answer = await http.request({
				operation,
				method: "POST",
				path,
				signal
			});
			if (!answer.ok) return answer;
			const done = decoded(operation, answer.value, decodeCancelled(answer.value.json));
			return done.ok ? ok(void 0) : done;
		}),
		async findings(projectId, scanId) {
			const operation = "list the findings";
			const list = await readAll({
				readPage: (page) => {
					const query = new URLSearchParams({
						scanId,
						page: String(page),
						limit: String(100)
					});
					return value(get(operation, `${project(projectId)}/findings?${query}`, decodePage, { scanId }));
				},
				idOf: (item) => readFinding(item).id,
				beforeReadingAgain: () => clock.sleep(1e3 + random() * 1e3, signal),
				nonsense: (problem, detail) => nonsense(operation, 200, problem, detail)
			});
			return list.ok ? ok(list.value.map(readFinding)) : list;
		},
		async finding(projectId, findingId) {
			const operation = "read a finding";
			const path = `${project(projectId)}/findings/${pathSegment(findingId)}`;
			const answer = await value(get(operation, path, decodeFinding));
			return answer.ok && answer.value.id !== void 0 && answer.value.id !== findingId ? err(nonsense(operation, 200, "wrong-shape", "`finding` is another finding")) : answer;
		},
		publish: (projectId, scanId, gated) => attemptPolitely({
			clock,
			signal,
			random,
			pause,
			attempts: 3,
			repeatAmbiguous: false
		}, async () => {
			const operation = "publish the scan";
			const path = `${scanPath(projectId, scanId)}/publish`;
			const body = publishBody(gated);
			const answer = await http.request({
				operation,
				method: "POST",
				path,
				body,
				signal
			});
			if (!answer.ok) return answer;
			const published = decoded(operation, answer.value, decodePublished(answer.value.json));
			return published.ok ? ok(publication(baseUrl, published.value)) : published;
		})
	};
}
/** Where the public page stands is an assumption: beside the API, under the path that the contract names. */
function publication(baseUrl, published) {
	const url = `${baseUrl.replace(/\/api\/v1$/, "")}/public/scans/${pathSegment(published.publicId)}`;
	return {
		...published,
		url
	};
}

// src/state.ts
/** What `post` needs to end what `main` could not. Holds no token: `post` reads it from its input. */
const SavedRun = object({
	projectId: string(),
	scanId: string(),
	headSha: string(),
	/** True: the scan is over, only its check run is not. */
	scanEnded: optional(boolean()),
	/** The check run that is still in progress. */
	checkRunId: optional(number()),
	/** The verdict that could not be written into it; left out: there was none yet. */
	verdict: optional(object({
		conclusion: picklist([
			"success",
			"neutral",
			"failure"
		]),
		title: string()
	}))
});
const NAME = "running-scan";
/** Undefined when `main` left nothing behind, or something unreadable. */
function savedRun() {
	const text = getState(NAME);
	if (text === "") return void 0;
	try {
		const parsed = safeParse(SavedRun, JSON.parse(text));
		return parsed.success ? parsed.output : void 0;
	} catch {
		return;
	}
}

// src/post.ts
/** Ours: a job that ends should not be kept for long; cancelling takes a second. */
const LIMIT_MS = 75e3;
process.exitCode = 1;
const log = createRunnerLog();
/**
* Ends what `main` could not: a scan that is still running, and a check run that is still in progress. Makes no call
* when nothing is left.
*/
async function post() {
	try {
		const run = savedRun();
		if (run === void 0) return 0;
		const { inputs } = readInputs(process.env["GITHUB_WORKSPACE"] || process.cwd());
		const proxyFault = useProxy(process.env);
		if (proxyFault !== void 0) log.warning(proxyFault.cause);
		const limit = new AbortController();
		systemClock.sleep(LIMIT_MS).then(() => limit.abort());
		const [cancelled] = await Promise.all([cancel(run, inputs, limit.signal), complete(run, inputs, limit.signal)]);
		return cancelled;
	} catch (error) {
		log.error(`Scangate could not clean up: ${error instanceof Error ? error.message : "unexpected fault"}.`);
		return 1;
	}
}
async function cancel({ projectId, scanId, scanEnded }, inputs, signal) {
	if (scanEnded === true) return 0;
	if (inputs.apiToken === "" || inputs.baseUrl === "") {
		log.error(`Scan ${scanId} may still be running: \`api-token\` or \`base-url\` is not there any more. Cancel it in the service.`);
		return 1;
	}
	const api = createScanApi({
		baseUrl: inputs.baseUrl,
		token: inputs.apiToken,
		clock: systemClock,
		signal
	});
	const cancellation = await cancelScan(api, projectId, scanId);
	switch (cancellation.kind) {
		case "cancelled":
			log.info(`Scan ${scanId} was cancelled: its reservation is released, work already done is still charged.`);
			return 0;
		case "already-terminal":
			log.info(`Scan ${scanId} had already ended as ${cancellation.status}.`);
			return 0;
		case "failed":
			log.error(`Scan ${scanId} could not be cancelled: cancel it in the service. ${cancellation.cause}`);
			return 1;
	}
}
/** Completes the check run with the verdict, where there was one; a check run that stays in progress blocks people. */
async function complete({ headSha, scanId, checkRunId, verdict }, inputs, signal) {
	const environment = readEnvironment(process.env);
	if (checkRunId === void 0 || !environment.ok) return;
	const github = createGitHub({
		token: inputs.githubToken,
		environment: environment.value,
		clock: systemClock,
		signal
	});
	const identity = {
		name: inputs.checkName,
		headSha,
		externalId: scanId,
		detailsUrl: environment.value.runUrl
	};
	const { conclusion, output } = verdict === void 0 ? ENDED_EARLY : lateWords(verdict);
	const result = {
		conclusion,
		output: {
			...output,
			text: ""
		},
		annotations: []
	};
	const completed = await completeCheckRun(github, checkRunId, identity, result);
	if (!completed.ok) log.warning(explainGitHubError(completed.error));
}
const ENDED_EARLY = {
	conclusion: "cancelled",
	output: {
		title: "Not scanned: the job ended first",
		summary: "The job ended before its result was known, so a scan that was still running was cancelled. Run the job again."
	}
};
function lateWords({ conclusion, title }) {
	return {
		conclusion,
		output: {
			title,
			summary: "GitHub did not take the whole report when the step ended; it is in the job summary."
		}
	};
}
const exitCode = await post();
process.stdout.write("", () => process.exit(exitCode));

export {  };