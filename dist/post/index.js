// index.js
var __webpack_modules__ = {
	825: ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {
		__nccwpck_require__.d(__webpack_exports__, { cleanUpAfterJob: () => cleanUpAfterJob });
		function result_ok(value) {
			return {
				ok: true,
				value
			};
		}
		function result_err(error) {
			return {
				ok: false,
				error
			};
		}
		const ALLOWABLE_REASONS = [
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
			"superseded",
			"unsupported-event",
			"paths",
			"configuration"
		].filter((reason) => reason !== "configuration" && reason !== "paths");
		function sentencesOf({ cause, nextStep }) {
			return nextStep === "" ? cause : `${cause} ${nextStep}`;
		}
		class Stop {
			cause;
			constructor(cause) {
				this.cause = cause;
			}
		}
		function stopCause(signal) {
			if (!signal.aborted) return void 0;
			const reason = signal.reason;
			return reason instanceof Stop ? reason.cause : "signal";
		}
		function explainStop(by, before) {
			return by === "timeout" ? {
				reason: "timeout",
				cause: `Scangate reached its time limit before ${before}.`,
				nextStep: "Re-run this job, or raise the input `timeout-minutes` in the workflow and push."
			} : {
				reason: "scan-cancelled",
				cause: `The job was cancelled before ${before}.`,
				nextStep: "Re-run this job if you still need the result.",
				bySignal: true
			};
		}
		const load_node_crypto = () => process.getBuiltinModule("node:crypto");
		function createSeal(apiToken, repositoryId) {
			const isEmpty = apiToken === "";
			const macOf = (text) => (0, load_node_crypto().createHmac)("sha256", apiToken).update(`${repositoryId} ${text}`).digest("base64url");
			return {
				isEmpty,
				macOf,
				isMacOf: (mac, text) => {
					const [given, expected] = [Buffer.from(mac), Buffer.from(macOf(text))];
					return !isEmpty && given.length === expected.length && (0, load_node_crypto().timingSafeEqual)(given, expected);
				}
			};
		}
		const DEFAULT_CONFIG = {
			lang: void 0,
			message: void 0,
			abortEarly: void 0,
			abortPipeEarly: void 0
		};
		function getGlobalConfig(config$1) {
			if (!config$1 && true) return DEFAULT_CONFIG;
			return {
				lang: config$1?.lang ?? void 0,
				message: config$1?.message,
				abortEarly: config$1?.abortEarly ?? void 0,
				abortPipeEarly: config$1?.abortPipeEarly ?? void 0
			};
		}
		function _stringify(input) {
			const type = typeof input;
			if (type === "string") return `"${input}"`;
			if (type === "number" || type === "bigint" || type === "boolean") return `${input}`;
			if (type === "object" || type === "function") return (input && Object.getPrototypeOf(input)?.constructor?.name) ?? "null";
			return type;
		}
		function _addIssue(context, label, dataset, config$1, other) {
			const input = other && "input" in other ? other.input : dataset.value;
			const expected = other?.expected ?? context.expects ?? null;
			const received = other?.received ?? _stringify(input);
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
			const message$1 = other?.message ?? context.message ?? void 0 ?? (isSchema ? void 0 : null) ?? config$1.message ?? void 0;
			if (message$1 !== void 0) issue.message = typeof message$1 === "function" ? message$1(issue) : message$1;
			if (isSchema) dataset.typed = false;
			if (dataset.issues) dataset.issues.push(issue);
			else dataset.issues = [issue];
		}
		function _isSameValueZero(value1, value2) {
			return value1 === value2 || Number.isNaN(value1) && Number.isNaN(value2);
		}
		function _isValidObjectKey(object$1, key) {
			return Object.prototype.hasOwnProperty.call(object$1, key) && key !== "__proto__" && key !== "prototype" && key !== "constructor";
		}
		function _joinExpects(values$1, separator) {
			const list = [...new Set(values$1)];
			if (list.length > 1) return `(${list.join(` ${separator} `)})`;
			return list[0] ?? "never";
		}
		function _standardSchema(schema) {
			schema["~standard"] = {
				version: 1,
				vendor: "valibot",
				validate: (value$1) => schema["~run"]({ value: value$1 }, getGlobalConfig())
			};
			return schema;
		}
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
		const ISO_TIMESTAMP_REGEX = /^\d{4}-(?:0[1-9]|1[0-2])-(?:[12]\d|0[1-9]|3[01])[T ](?:0\d|1\d|2[0-3])(?::[0-5]\d){2}(?:\.\d{1,9})?(?:Z| ?[+-](?:0\d|1\d|2[0-3])(?::?[0-5]\d)?)$/u;
		function check(requirement, message$1) {
			return {
				kind: "validation",
				type: "check",
				reference: check,
				async: false,
				expects: null,
				requirement,
				message: message$1,
				"~run"(dataset, config$1) {
					if (dataset.typed && !this.requirement(dataset.value)) _addIssue(this, "input", dataset, config$1);
					return dataset;
				}
			};
		}
		function isoTimestamp(message$1) {
			return {
				kind: "validation",
				type: "iso_timestamp",
				reference: isoTimestamp,
				async: false,
				expects: null,
				requirement: ISO_TIMESTAMP_REGEX,
				message: message$1,
				"~run"(dataset, config$1) {
					if (dataset.typed && !this.requirement.test(dataset.value)) _addIssue(this, "timestamp", dataset, config$1);
					return dataset;
				}
			};
		}
		function minLength(requirement, message$1) {
			return {
				kind: "validation",
				type: "min_length",
				reference: minLength,
				async: false,
				expects: `>=${requirement}`,
				requirement,
				message: message$1,
				"~run"(dataset, config$1) {
					if (dataset.typed && dataset.value.length < this.requirement) _addIssue(this, "length", dataset, config$1, { received: `${dataset.value.length}` });
					return dataset;
				}
			};
		}
		function minValue(requirement, message$1) {
			return {
				kind: "validation",
				type: "min_value",
				reference: minValue,
				async: false,
				expects: `>=${requirement instanceof Date ? requirement.toJSON() : _stringify(requirement)}`,
				requirement,
				message: message$1,
				"~run"(dataset, config$1) {
					if (dataset.typed && !(dataset.value >= this.requirement)) _addIssue(this, "value", dataset, config$1, { received: dataset.value instanceof Date ? dataset.value.toJSON() : _stringify(dataset.value) });
					return dataset;
				}
			};
		}
		function regex(requirement, message$1) {
			return {
				kind: "validation",
				type: "regex",
				reference: regex,
				async: false,
				expects: `${requirement}`,
				requirement,
				message: message$1,
				"~run"(dataset, config$1) {
					if (dataset.typed && !this.requirement.test(dataset.value)) _addIssue(this, "format", dataset, config$1);
					return dataset;
				}
			};
		}
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
		const ABORT_EARLY_CONFIG = { abortEarly: true };
		function getFallback(schema, dataset, config$1) {
			return typeof schema.fallback === "function" ? schema.fallback(dataset, config$1) : schema.fallback;
		}
		function fallback(schema, fallback$1) {
			return _standardSchema({
				...schema,
				fallback: fallback$1,
				"~run"(dataset, config$1) {
					const outputDataset = schema["~run"](dataset, config$1);
					return outputDataset.issues ? {
						typed: true,
						value: getFallback(this, outputDataset, config$1)
					} : outputDataset;
				}
			});
		}
		function getDefault(schema, dataset, config$1) {
			return typeof schema.default === "function" ? schema.default(dataset, config$1) : schema.default;
		}
		function is(schema, input) {
			return !schema["~run"]({ value: input }, ABORT_EARLY_CONFIG).issues;
		}
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
		function dist_boolean(message$1) {
			return _standardSchema({
				kind: "schema",
				type: "boolean",
				reference: dist_boolean,
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
		function literal(literal_, message$1) {
			return _standardSchema({
				kind: "schema",
				type: "literal",
				reference: literal,
				expects: _stringify(literal_),
				async: false,
				literal: literal_,
				message: message$1,
				"~run"(dataset, config$1) {
					if (_isSameValueZero(dataset.value, this.literal)) dataset.typed = true;
					else _addIssue(this, "type", dataset, config$1);
					return dataset;
				}
			});
		}
		function looseTuple(items, message$1) {
			return _standardSchema({
				kind: "schema",
				type: "loose_tuple",
				reference: looseTuple,
				expects: "Array",
				async: false,
				items,
				message: message$1,
				"~run"(dataset, config$1) {
					const input = dataset.value;
					if (Array.isArray(input)) {
						dataset.typed = true;
						dataset.value = [];
						for (let key = 0; key < this.items.length; key++) {
							const value$1 = input[key];
							const itemDataset = this.items[key]["~run"]({ value: value$1 }, config$1);
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
						if (!dataset.issues || !config$1.abortEarly) for (let key = this.items.length; key < input.length; key++) dataset.value.push(input[key]);
					} else _addIssue(this, "type", dataset, config$1);
					return dataset;
				}
			});
		}
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
						if (this.default !== void 0) dataset.value = getDefault(this, dataset, config$1);
						if (dataset.value === null) {
							dataset.typed = true;
							return dataset;
						}
					}
					return this.wrapped["~run"](dataset, config$1);
				}
			});
		}
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
						if (this.default !== void 0) dataset.value = getDefault(this, dataset, config$1);
						if (dataset.value === null || dataset.value === void 0) {
							dataset.typed = true;
							return dataset;
						}
					}
					return this.wrapped["~run"](dataset, config$1);
				}
			});
		}
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
								const value$1 = key in input ? input[key] : getDefault(valueSchema);
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
							} else if (valueSchema.fallback !== void 0) dataset.value[key] = getFallback(valueSchema);
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
						if (this.default !== void 0) dataset.value = getDefault(this, dataset, config$1);
						if (dataset.value === void 0) {
							dataset.typed = true;
							return dataset;
						}
					}
					return this.wrapped["~run"](dataset, config$1);
				}
			});
		}
		function picklist(options, message$1) {
			return _standardSchema({
				kind: "schema",
				type: "picklist",
				reference: picklist,
				expects: _joinExpects(options.map(_stringify), "|"),
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
		function record(key, value$1, message$1) {
			return _standardSchema({
				kind: "schema",
				type: "record",
				reference: record,
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
						for (const entryKey in input) if (_isValidObjectKey(input, entryKey)) {
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
		function strictObject(entries$1, message$1) {
			return _standardSchema({
				kind: "schema",
				type: "strict_object",
				reference: strictObject,
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
								const value$1 = key in input ? input[key] : getDefault(valueSchema);
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
							} else if (valueSchema.fallback !== void 0) dataset.value[key] = getFallback(valueSchema);
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
						if (!dataset.issues || !config$1.abortEarly) {
							for (const key in input) if (!Object.prototype.hasOwnProperty.call(this.entries, key)) {
								_addIssue(this, "key", dataset, config$1, {
									input: key,
									expected: "never",
									path: [{
										type: "object",
										origin: "key",
										input,
										key,
										value: input[key]
									}]
								});
								break;
							}
						}
					} else _addIssue(this, "type", dataset, config$1);
					return dataset;
				}
			});
		}
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
		function _subIssues(datasets) {
			let issues;
			if (datasets) for (const dataset of datasets) if (issues) for (const issue of dataset.issues) issues.push(issue);
			else issues = dataset.issues;
			return issues;
		}
		function union(options, message$1) {
			return _standardSchema({
				kind: "schema",
				type: "union",
				reference: union,
				expects: _joinExpects(options.map((option) => option.expects), "|"),
				async: false,
				options,
				message: message$1,
				"~run"(dataset, config$1) {
					let validDataset;
					let typedDatasets;
					let untypedDatasets;
					for (const schema of this.options) {
						const optionDataset = schema["~run"]({ value: dataset.value }, config$1);
						if (optionDataset.typed) if (optionDataset.issues) if (typedDatasets) typedDatasets.push(optionDataset);
						else typedDatasets = [optionDataset];
						else {
							validDataset = optionDataset;
							break;
						}
						else if (untypedDatasets) untypedDatasets.push(optionDataset);
						else untypedDatasets = [optionDataset];
					}
					if (validDataset) return validDataset;
					if (typedDatasets) {
						if (typedDatasets.length === 1) return typedDatasets[0];
						_addIssue(this, "type", dataset, config$1, { issues: _subIssues(typedDatasets) });
						dataset.typed = true;
					} else if (untypedDatasets?.length === 1) return untypedDatasets[0];
					else _addIssue(this, "type", dataset, config$1, { issues: _subIssues(untypedDatasets) });
					return dataset;
				}
			});
		}
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
		function safeParse(schema, input, config$1) {
			const dataset = schema["~run"]({ value: input }, getGlobalConfig(config$1));
			return {
				typed: dataset.typed,
				success: !dataset.issues,
				output: dataset.value,
				issues: dataset.issues
			};
		}
		const CHECK_TITLE_CHARACTERS = 255;
		const CHECK_TEXT_BYTES = 65535;
		const ANNOTATION_TITLE_CHARACTERS = 255;
		const ANNOTATION_TEXT_BYTES = 65536;
		const UNSEEN = String.raw`\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}`;
		const MARKS = String.raw`[\p{M}--\p{Default_Ignorable_Code_Point}]{0,4}`;
		const CURSIVE = [
			"Arabic",
			"Syriac",
			"Mandaic",
			"Mongolian",
			"Nko",
			"Adlam"
		];
		const INDIC = [
			"Devanagari",
			"Bengali",
			"Gurmukhi",
			"Gujarati",
			"Oriya",
			"Tamil",
			"Telugu",
			"Kannada",
			"Malayalam",
			"Sinhala"
		];
		const VIRAMAS = String.raw`[\u094D\u09CD\u0A4D\u0ACD\u0B4D\u0BCD\u0C4D\u0CCD\u0D4D\u0DCA]`;
		const BELONGS = [
			String.raw`[\uFE0E\uFE0F](?<=\p{Extended_Pictographic}.)`,
			String.raw`\uFE0F(?<=[0-9#*].)(?=\u20E3)`,
			String.raw`\u200D(?<=\p{Extended_Pictographic}(?:\uFE0F|\p{Emoji_Modifier})?.)(?=\p{Extended_Pictographic})`,
			String.raw`\u{E0067}(?<=\u{1F3F4}.)\u{E0062}(?:\u{E0065}\u{E006E}\u{E0067}|\u{E0073}\u{E0063}\u{E0074}|\u{E0077}\u{E006C}\u{E0073})\u{E007F}`,
			...CURSIVE.map((script) => String.raw`\u200C(?<=${letterOf(script)}${MARKS}.)(?=${letterOf(script)})`),
			...INDIC.flatMap((script) => {
				const letter = letterOf(script);
				const virama = String.raw`[\p{Script=${script}}&&${VIRAMAS}]`;
				return [
					String.raw`\u200C(?<=${letter}${MARKS}${virama}.)(?=${letter})`,
					String.raw`\u200D(?<=${letter}${MARKS}${virama}.)(?![${UNSEEN}\p{M}])`,
					String.raw`\u200D(?<=${letter}.)(?=${virama}${letter})`
				];
			})
		].join("|");
		function letterOf(script) {
			return String.raw`[\p{L}&&\p{Script=${script}}]`;
		}
		const patterns = {};
		function invisible() {
			patterns.invisible ??= new RegExp(`${BELONGS}|([${UNSEEN}]+)`, "gv");
			return patterns.invisible;
		}
		function blank() {
			patterns.blank ??= new RegExp(String.raw`^[\s\u2800${UNSEEN}]*$`, "v");
			return patterns.blank;
		}
		const PLAIN_LINE = /^[\x20-\x7e\u2010-\u2027]*$/;
		const PLAIN_LINES = /^[\n\x20-\x7e\u2010-\u2027]*$/;
		function visible_text_isPlain(text) {
			return PLAIN_LINES.test(text);
		}
		const [ESC, CSI] = ["\x1B", "\u009b"];
		const TERMINAL_STYLE = new RegExp(`(?:${ESC}\\[|${CSI})[\\d:;]*m`, "g");
		function visibleLine(text) {
			if (PLAIN_LINE.test(text)) return text;
			return visible_text_replaceInvisible(text.toWellFormed().replaceAll("	", " "), codePointShown);
		}
		function visibleLines(text) {
			if (visible_text_isPlain(text)) return text;
			return visible_text_replaceInvisible(text.toWellFormed().replaceAll("\r\n", "\n").replace(TERMINAL_STYLE, ""), (character) => character === "\n" || character === "	" ? character : codePointShown(character));
		}
		function hasInvisible(text) {
			if (PLAIN_LINE.test(text)) return false;
			if (!text.isWellFormed()) return true;
			for (const [, unseen] of text.matchAll(invisible())) if (unseen !== void 0) return true;
			return false;
		}
		function isBlank(text) {
			return PLAIN_LINE.test(text) ? text.trim() === "" : blank().test(text);
		}
		function visible_text_replaceInvisible(text, replace) {
			const known = new Map();
			return text.replace(invisible(), (match, characters) => {
				if (characters === void 0) return match;
				let written = "";
				for (const character of characters) {
					const replaced = known.get(character) ?? replace(character);
					known.set(character, replaced);
					written += replaced;
				}
				return written;
			});
		}
		function codePointShown(character) {
			return `\u27e8U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}\u27e9`;
		}
		const CUT = "\u2026";
		function visible_text_cutCharacters(text, limit) {
			if (text.length <= limit) return text;
			return limit < 1 ? "" : wholeCharacters(text, limit - 1) + CUT;
		}
		function cutBytes(text, limit) {
			if (byteLength(text) <= limit) return text;
			const space = limit - byteLength(CUT);
			if (space < 0) return "";
			let low = Math.min(Math.floor(space / 3), text.length);
			let high = Math.min(space, text.length);
			while (low < high) {
				const middle = Math.ceil((low + high) / 2);
				if (byteLength(wholeCharacters(text, middle)) <= space) low = middle;
				else high = middle - 1;
			}
			return wholeCharacters(text, low) + CUT;
		}
		function byteLength(text) {
			return Buffer.byteLength(text, "utf8");
		}
		function wholeCharacters(text, units) {
			const last = text.charCodeAt(units - 1);
			return text.slice(0, last >= 55296 && last <= 56319 ? units - 1 : units);
		}
		const LONGEST = 200;
		const INVISIBLE_AS_SPACE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
		function foreignLine(text, longest = LONGEST) {
			const characters = [...visible_text_replaceInvisible(text.toWellFormed(), (character) => INVISIBLE_AS_SPACE.test(character) ? " " : character).replace(/\s+/g, " ").trim().slice(0, 2 * longest + 2)];
			return characters.length <= longest ? characters.join("") : `${characters.slice(0, longest - 1).join("")}\u2026`;
		}
		const MOST_SHOWN = 20;
		function listed(values) {
			const shown = values.slice(0, MOST_SHOWN).map((word) => foreignLine(word));
			const more = values.length - shown.length;
			return `${shown.join(", ")}${more > 0 ? `, and ${more} more` : ""}`;
		}
		const load_fs = () => process.getBuiltinModule("fs");
		const load_os = () => process.getBuiltinModule("os");
		function notBundled(name, inUse = {}) {
			function refuse() {
				throw new Error(`Not bundled: ${name}`);
			}
			return new Proxy(Object.assign(refuse, inUse), { get: (target, member) => typeof member === "symbol" || member in target ? Reflect.get(target, member) : notBundled(`${name}.${member}`) });
		}
		function http_client_HttpClient() {
			return notBundled("HttpClient", {
				getAgent: () => void 0,
				getAgentDispatcher: () => void 0
			});
		}
		const undici_fetch = notBundled("fetch of undici");
		var __awaiter = function(thisArg, _arguments, P, generator) {
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
		function getAuthString(token, options) {
			if (!token && !options.auth) throw new Error("Parameter token or opts.auth is required");
			else if (token && options.auth) throw new Error("Parameters token and opts.auth may not both be specified");
			return typeof options.auth === "string" ? options.auth : `token ${token}`;
		}
		function getProxyAgent(destinationUrl) {
			return new http_client_HttpClient().getAgent(destinationUrl);
		}
		function getProxyAgentDispatcher(destinationUrl) {
			return new http_client_HttpClient().getAgentDispatcher(destinationUrl);
		}
		function getProxyFetch(destinationUrl) {
			const httpDispatcher = getProxyAgentDispatcher(destinationUrl);
			const proxyFetch = (url, opts) => __awaiter(this, void 0, void 0, function* () {
				return undici_fetch(url, Object.assign(Object.assign({}, opts), { dispatcher: httpDispatcher }));
			});
			return proxyFetch;
		}
		function getApiBaseUrl() {
			return process.env["GITHUB_API_URL"] || "https://api.github.com";
		}
		function getUserAgentWithOrchestrationId(baseUserAgent) {
			var _a;
			const orchId = (_a = process.env["ACTIONS_ORCHESTRATION_ID"]) === null || _a === void 0 ? void 0 : _a.trim();
			if (orchId) {
				const tag = `actions_orchestration_id/${orchId.replace(/[^a-z0-9_.-]/gi, "_")}`;
				if (baseUserAgent === null || baseUserAgent === void 0 ? void 0 : baseUserAgent.includes(tag)) return baseUserAgent;
				return `${baseUserAgent ? `${baseUserAgent} ` : ""}${tag}`;
			}
			return baseUserAgent;
		}
		function getUserAgent() {
			if (typeof navigator === "object" && "userAgent" in navigator) return navigator.userAgent;
			if (typeof process === "object" && process.version !== void 0) return `Node.js/${process.version.substr(1)} (${process.platform}; ${process.arch})`;
			return "<environment undetectable>";
		}
		function register(state, name, method, options) {
			if (typeof method !== "function") throw new Error("method for before hook must be a function");
			if (!options) options = {};
			if (Array.isArray(name)) return name.reverse().reduce((callback, name) => {
				return register.bind(null, state, name, callback, options);
			}, method)();
			return Promise.resolve().then(() => {
				if (!state.registry[name]) return method(options);
				return state.registry[name].reduce((method, registered) => {
					return registered.hook.bind(null, method, options);
				}, method)();
			});
		}
		function addHook(state, kind, name, hook) {
			const orig = hook;
			if (!state.registry[name]) state.registry[name] = [];
			if (kind === "before") hook = (method, options) => {
				return Promise.resolve().then(orig.bind(null, options)).then(method.bind(null, options));
			};
			if (kind === "after") hook = (method, options) => {
				let result;
				return Promise.resolve().then(method.bind(null, options)).then((result_) => {
					result = result_;
					return orig(result, options);
				}).then(() => {
					return result;
				});
			};
			if (kind === "error") hook = (method, options) => {
				return Promise.resolve().then(method.bind(null, options)).catch((error) => {
					return orig(error, options);
				});
			};
			state.registry[name].push({
				hook,
				orig
			});
		}
		function removeHook(state, name, method) {
			if (!state.registry[name]) return;
			const index = state.registry[name].map((registered) => {
				return registered.orig;
			}).indexOf(method);
			if (index === -1) return;
			state.registry[name].splice(index, 1);
		}
		const bind = Function.bind;
		const bindable = bind.bind(bind);
		function bindApi(hook, state, name) {
			const removeHookRef = bindable(removeHook, null).apply(null, name ? [state, name] : [state]);
			hook.api = { remove: removeHookRef };
			hook.remove = removeHookRef;
			[
				"before",
				"error",
				"after",
				"wrap"
			].forEach((kind) => {
				const args = name ? [
					state,
					kind,
					name
				] : [state, kind];
				hook[kind] = hook.api[kind] = bindable(addHook, null).apply(null, args);
			});
		}
		function Singular() {
			const singularHookName = Symbol("Singular");
			const singularHookState = { registry: {} };
			const singularHook = register.bind(null, singularHookState, singularHookName);
			bindApi(singularHook, singularHookState, singularHookName);
			return singularHook;
		}
		function Collection() {
			const state = { registry: {} };
			const hook = register.bind(null, state);
			bindApi(hook, state);
			return hook;
		}
		const before_after_hook = {
			Singular,
			Collection
		};
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
		function isPlainObject(value) {
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
				if (isPlainObject(options[key])) {
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
		function dist_bundle_omit(object, keysToOmit) {
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
		function dist_bundle_parse(options) {
			let method = options.method.toUpperCase();
			let url = (options.url || "/").replace(/:([a-z]\w+)/g, "{$1}");
			let headers = Object.assign({}, options.headers);
			let body;
			let parameters = dist_bundle_omit(options, [
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
			const remainingParameters = dist_bundle_omit(parameters, Object.keys(options).filter((option) => urlVariableNames.includes(option)).concat("baseUrl"));
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
			return dist_bundle_parse(merge(defaults, route, options));
		}
		function withDefaults(oldDefaults, newDefaults) {
			const DEFAULTS2 = merge(oldDefaults, newDefaults);
			const endpoint2 = endpointWithDefaults.bind(null, DEFAULTS2);
			return Object.assign(endpoint2, {
				DEFAULTS: DEFAULTS2,
				defaults: withDefaults.bind(null, DEFAULTS2),
				merge: merge.bind(null, DEFAULTS2),
				parse: dist_bundle_parse
			});
		}
		var endpoint = withDefaults(null, DEFAULTS);
		function content_type_parse(header) {
			const [type] = header.split(";", 1);
			const [, charset] = /;\s*charset="?([^\s;"]+)/i.exec(header) ?? [];
			return {
				type: type.trim().toLowerCase(),
				parameters: charset === void 0 ? {} : { charset }
			};
		}
		const JSONParse = (text) => JSON.parse(text);
		const JSONStringify = (value) => JSON.stringify(value);
		class RequestError extends Error {
			name;
			status;
			request;
			response;
			constructor(message, statusCode, options) {
				super(message, { cause: options.cause });
				this.name = "HttpError";
				this.status = Number.parseInt(statusCode);
				if (Number.isNaN(this.status)) this.status = 0;
				if ("response" in options) this.response = options.response;
				const requestCopy = Object.assign({}, options.request);
				if (options.request.headers.authorization) requestCopy.headers = Object.assign({}, options.request.headers, { authorization: options.request.headers.authorization.replace(/(?<! ) .*$/, " [REDACTED]") });
				requestCopy.url = requestCopy.url.replace(/\bclient_secret=\w+/g, "client_secret=[REDACTED]").replace(/\baccess_token=\w+/g, "access_token=[REDACTED]");
				this.request = requestCopy;
			}
		}
		var defaults_default = { headers: { "user-agent": `octokit-request.js/10.0.16 ${getUserAgent()}` } };
		function dist_bundle_isPlainObject(value) {
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
			const body = dist_bundle_isPlainObject(requestOptions.body) || Array.isArray(requestOptions.body) ? JSONStringify(requestOptions.body) : requestOptions.body;
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
			const mimetype = content_type_parse(contentType);
			if (isJSONResponse(mimetype)) {
				let text = "";
				try {
					text = await response.text();
					return JSONParse(text);
				} catch (err) {
					return text;
				}
			} else if (mimetype.type.startsWith("text/") || mimetype.parameters.charset?.toLowerCase() === "utf-8" && mimetype.type !== "application/octet-stream") return response.text().catch(noop);
			else return response.arrayBuffer().catch(() => new ArrayBuffer(0));
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
		function dist_bundle_withDefaults(oldEndpoint, newDefaults) {
			const endpoint2 = oldEndpoint.defaults(newDefaults);
			const newApi = function(route, parameters) {
				const endpointOptions = endpoint2.merge(route, parameters);
				if (!endpointOptions.request || !endpointOptions.request.hook) return fetchWrapper(endpoint2.parse(endpointOptions));
				const request2 = (route2, parameters2) => {
					return fetchWrapper(endpoint2.parse(endpoint2.merge(route2, parameters2)));
				};
				Object.assign(request2, {
					endpoint: endpoint2,
					defaults: dist_bundle_withDefaults.bind(null, endpoint2)
				});
				return endpointOptions.request.hook(request2, endpointOptions);
			};
			return Object.assign(newApi, {
				endpoint: endpoint2,
				defaults: dist_bundle_withDefaults.bind(null, endpoint2)
			});
		}
		var request = dist_bundle_withDefaults(endpoint, defaults_default);
		var graphql_dist_bundle_VERSION = "0.0.0-development";
		function _buildMessageForResponseErrors(data) {
			return `Request failed due to following response errors:
` + data.errors.map((e) => ` - ${e.message}`).join("\n");
		}
		var GraphqlResponseError = class extends Error {
			constructor(request2, headers, response) {
				super(_buildMessageForResponseErrors(response));
				this.request = request2;
				this.headers = headers;
				this.response = response;
				this.errors = response.errors;
				this.data = response.data;
				if (Error.captureStackTrace) Error.captureStackTrace(this, this.constructor);
			}
			request;
			headers;
			response;
			name = "GraphqlResponseError";
			errors;
			data;
		};
		var NON_VARIABLE_OPTIONS = [
			"method",
			"baseUrl",
			"url",
			"headers",
			"request",
			"query",
			"mediaType",
			"operationName"
		];
		var FORBIDDEN_VARIABLE_OPTIONS = [
			"query",
			"method",
			"url"
		];
		var GHES_V3_SUFFIX_REGEX = /\/api\/v3\/?$/;
		function graphql(request2, query, options) {
			if (options) {
				if (typeof query === "string" && "query" in options) return Promise.reject(new Error(`[@octokit/graphql] "query" cannot be used as variable name`));
				for (const key in options) {
					if (!FORBIDDEN_VARIABLE_OPTIONS.includes(key)) continue;
					return Promise.reject(new Error(`[@octokit/graphql] "${key}" cannot be used as variable name`));
				}
			}
			const parsedOptions = typeof query === "string" ? Object.assign({ query }, options) : query;
			const requestOptions = Object.keys(parsedOptions).reduce((result, key) => {
				if (NON_VARIABLE_OPTIONS.includes(key)) {
					result[key] = parsedOptions[key];
					return result;
				}
				if (!result.variables) result.variables = {};
				result.variables[key] = parsedOptions[key];
				return result;
			}, {});
			const baseUrl = parsedOptions.baseUrl || request2.endpoint.DEFAULTS.baseUrl;
			if (GHES_V3_SUFFIX_REGEX.test(baseUrl)) requestOptions.url = baseUrl.replace(GHES_V3_SUFFIX_REGEX, "/api/graphql");
			return request2(requestOptions).then((response) => {
				if (response.data.errors) {
					const headers = {};
					for (const key of Object.keys(response.headers)) headers[key] = response.headers[key];
					throw new GraphqlResponseError(requestOptions, headers, response.data);
				}
				return response.data.data;
			});
		}
		function graphql_dist_bundle_withDefaults(request2, newDefaults) {
			const newRequest = request2.defaults(newDefaults);
			const newApi = (query, options) => {
				return graphql(newRequest, query, options);
			};
			return Object.assign(newApi, {
				defaults: graphql_dist_bundle_withDefaults.bind(null, newRequest),
				endpoint: newRequest.endpoint
			});
		}
		graphql_dist_bundle_withDefaults(request, {
			headers: { "user-agent": `octokit-graphql.js/${graphql_dist_bundle_VERSION} ${getUserAgent()}` },
			method: "POST",
			url: "/graphql"
		});
		function withCustomRequest(customRequest) {
			return graphql_dist_bundle_withDefaults(customRequest, {
				method: "POST",
				url: "/graphql"
			});
		}
		var b64url = "(?:[a-zA-Z0-9_-]+)";
		var sep = "\\.";
		var jwtRE = new RegExp(`^${b64url}${sep}${b64url}${sep}${b64url}$`);
		var isJWT = jwtRE.test.bind(jwtRE);
		async function auth(token) {
			const isApp = isJWT(token);
			const isInstallation = token.startsWith("v1.") || token.startsWith("ghs_");
			const isUserToServer = token.startsWith("ghu_");
			return {
				type: "token",
				token,
				tokenType: isApp ? "app" : isInstallation ? "installation" : isUserToServer ? "user-to-server" : "oauth"
			};
		}
		function withAuthorizationPrefix(token) {
			if (token.split(/\./).length === 3) return `bearer ${token}`;
			return `token ${token}`;
		}
		async function hook(token, request, route, parameters) {
			const endpoint = request.endpoint.merge(route, parameters);
			endpoint.headers.authorization = withAuthorizationPrefix(token);
			return request(endpoint);
		}
		var createTokenAuth = function createTokenAuth2(token) {
			if (!token) throw new Error("[@octokit/auth-token] No token passed to createTokenAuth");
			if (typeof token !== "string") throw new Error("[@octokit/auth-token] Token passed to createTokenAuth is not a string");
			token = token.replace(/^(token|bearer) +/i, "");
			return Object.assign(auth.bind(null, token), { hook: hook.bind(null, token) });
		};
		const version_VERSION = "7.0.8";
		const dist_src_noop = () => {};
		const consoleWarn = console.warn.bind(console);
		const consoleError = console.error.bind(console);
		function createLogger(logger = {}) {
			if (typeof logger.debug !== "function") logger.debug = dist_src_noop;
			if (typeof logger.info !== "function") logger.info = dist_src_noop;
			if (typeof logger.warn !== "function") logger.warn = consoleWarn;
			if (typeof logger.error !== "function") logger.error = consoleError;
			return logger;
		}
		const userAgentTrail = `octokit-core.js/${version_VERSION} ${getUserAgent()}`;
		class Octokit {
			static VERSION = version_VERSION;
			static defaults(defaults) {
				const OctokitWithDefaults = class extends this {
					constructor(...args) {
						const options = args[0] || {};
						if (typeof defaults === "function") {
							super(defaults(options));
							return;
						}
						super(Object.assign({}, defaults, options, options.userAgent && defaults.userAgent ? { userAgent: `${options.userAgent} ${defaults.userAgent}` } : null));
					}
				};
				return OctokitWithDefaults;
			}
			static plugins = [];
			static plugin(...newPlugins) {
				const currentPlugins = this.plugins;
				const NewOctokit = class extends this {
					static plugins = currentPlugins.concat(newPlugins.filter((plugin) => !currentPlugins.includes(plugin)));
				};
				return NewOctokit;
			}
			constructor(options = {}) {
				const hook = new before_after_hook.Collection();
				const requestDefaults = {
					baseUrl: request.endpoint.DEFAULTS.baseUrl,
					headers: {},
					request: Object.assign({}, options.request, { hook: hook.bind(null, "request") }),
					mediaType: {
						previews: [],
						format: ""
					}
				};
				requestDefaults.headers["user-agent"] = options.userAgent ? `${options.userAgent} ${userAgentTrail}` : userAgentTrail;
				if (options.baseUrl) requestDefaults.baseUrl = options.baseUrl;
				if (options.previews) requestDefaults.mediaType.previews = options.previews;
				if (options.timeZone) requestDefaults.headers["time-zone"] = options.timeZone;
				this.request = request.defaults(requestDefaults);
				this.graphql = withCustomRequest(this.request).defaults(requestDefaults);
				this.log = createLogger(options.log);
				this.hook = hook;
				if (!options.authStrategy) {
					if (!options.auth) this.auth = async () => ({ type: "unauthenticated" });
					else {
						const auth = createTokenAuth(options.auth);
						hook.wrap("request", auth.hook);
						this.auth = auth;
					}
				} else {
					const { authStrategy, ...otherOptions } = options;
					const auth = authStrategy(Object.assign({
						request: this.request,
						log: this.log,
						octokit: this,
						octokitOptions: otherOptions
					}, options.auth));
					hook.wrap("request", auth.hook);
					this.auth = auth;
				}
				const classConstructor = this.constructor;
				for (let i = 0; i < classConstructor.plugins.length; ++i) Object.assign(this, classConstructor.plugins[i](this, options));
			}
			request;
			graphql;
			log;
			hook;
			auth;
		}
		function restEndpointMethods() {
			return { rest: notBundled("octokit.rest") };
		}
		function paginateRest() {
			return { paginate: notBundled("octokit.paginate") };
		}
		const baseUrl = getApiBaseUrl();
		const defaults = {
			baseUrl,
			request: {
				agent: getProxyAgent(baseUrl),
				fetch: getProxyFetch(baseUrl)
			}
		};
		const GitHub = Octokit.plugin(restEndpointMethods, paginateRest).defaults(defaults);
		function getOctokitOptions(token, options) {
			const opts = Object.assign({}, options || {});
			const auth = getAuthString(token, opts);
			if (auth) opts.auth = auth;
			const userAgent = getUserAgentWithOrchestrationId(opts.userAgent);
			if (userAgent) opts.userAgent = userAgent;
			return opts;
		}
		function getOctokit(token, options, ...additionalPlugins) {
			return new (GitHub.plugin(...additionalPlugins))(getOctokitOptions(token, options));
		}
		const ATTEMPT_MS = 3e4;
		const OVER = new DOMException("This attempt is over.", "AbortError");
		function isStrayFetchError(error) {
			if (error === OVER) return true;
			if (!(error instanceof Error)) return false;
			const [innermost] = error.stack?.match(/^ +at .*$/m) ?? [];
			return Reflect.get(error, "code") === "ERR_ASSERTION" && innermost?.includes("node:internal/deps/undici") === true;
		}
		async function withDeadline({ clock, signal, ms = ATTEMPT_MS }, work) {
			const deadline = clock.timeout(ms);
			const over = new AbortController();
			try {
				return await work({
					signal: AbortSignal.any([
						signal,
						deadline.signal,
						over.signal
					]),
					endedBy: () => signal.aborted ? "caller" : deadline.signal.aborted ? "deadline" : void 0
				});
			} finally {
				deadline.clear();
				over.abort(OVER);
			}
		}
		const LARGEST_MIB = {
			service: 10,
			github: 64
		};
		function largestBody(server) {
			return `${LARGEST_MIB[server]} MiB`;
		}
		function limitedFetch(fetch, server, onOversize) {
			return async (...args) => {
				const response = await fetch(...args);
				if (response.body === null) return response;
				let bytes = 0;
				const counter = new TransformStream({ transform(chunk, controller) {
					bytes += chunk.byteLength;
					if (bytes <= LARGEST_MIB[server] * 1024 * 1024) return controller.enqueue(chunk);
					onOversize();
					controller.error(new Error(`the answer is larger than ${largestBody(server)}`));
				} });
				const { status, statusText, headers, url } = response;
				const limited = new Response(response.body.pipeThrough(counter), {
					status,
					statusText,
					headers
				});
				return Object.defineProperty(limited, "url", { value: url });
			};
		}
		function requestLine({ method, route, end, attempt, ms }) {
			return `${method} ${route}: ${end}, attempt ${attempt}, ${Math.round(ms)} ms`;
		}
		const HTTP_DATES = [
			/^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/,
			/^[A-Z][a-z]+day, \d\d-[A-Z][a-z]{2}-\d\d \d\d:\d\d:\d\d GMT$/,
			/^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/
		];
		function parseHttpDate(text) {
			if (!HTTP_DATES.some((form) => form.test(text))) return void 0;
			const date = new Date(text.endsWith("GMT") ? text : `${text} GMT`);
			return Number.isNaN(date.getTime()) ? void 0 : date;
		}
		const SECONDS = /^\d+(?:\.\d+)?$/;
		function parseRetryAfter(header, now) {
			const value = header?.trim() ?? "";
			const seconds = SECONDS.test(value) ? Number(value) : ((parseHttpDate(value)?.getTime() ?? NaN) - now.getTime()) / 1e3;
			return Number.isFinite(seconds) && seconds > 0 ? seconds : void 0;
		}
		const LONGEST_OBEYED = {
			"rate-limit": Number.POSITIVE_INFINITY,
			poll: 600,
			failure: 60
		};
		const SHORTEST_MS = 1e3;
		function advisedWait(advising, seconds) {
			if (seconds === void 0) return void 0;
			return Math.max(Math.min(seconds, LONGEST_OBEYED[advising]) * 1e3, SHORTEST_MS);
		}
		function createPause(clock, mostMs = Number.POSITIVE_INFINITY) {
			let until = clock.now();
			let paused = 0;
			return {
				async over(signal) {
					while (clock.now() < until && !signal.aborted) await clock.sleep(until - clock.now(), signal);
				},
				extend(ms) {
					const added = Math.max(0, clock.now() + ms - Math.max(until, clock.now()));
					if (paused + added > mostMs) return false;
					paused += added;
					until = Math.max(until, clock.now() + ms);
					return true;
				}
			};
		}
		async function withRetry({ clock, signal, pause, afterFailure }, call) {
			for (let attempts = 1;; attempts += 1) {
				await pause.over(signal);
				const answer = await call(attempts);
				if (answer.ok) return answer;
				const { again, waitMs, forAll } = afterFailure(answer.error, attempts);
				const isPaused = forAll && pause.extend(waitMs);
				if (!again || forAll && !isPaused) return answer;
				if (!forAll) await clock.sleep(waitMs, signal);
			}
		}
		const REDACTED = "***";
		const SHORTEST_SECRET_PART = 8;
		function redactor(secret) {
			if (secret === "") return (text) => text;
			const part = secret.slice(secret.lastIndexOf("_") + 1);
			const longestFirst = [...new Set((part.length >= SHORTEST_SECRET_PART ? [secret, part] : [secret]).flatMap((s) => [
				s,
				encoded(s),
				...base64Forms(s)
			]))].sort((a, b) => b.length - a.length);
			const pattern = new RegExp(longestFirst.map(literally).join("|"), "gi");
			const shortest = Math.min(...longestFirst.map(({ length }) => length));
			return (text) => text.length < shortest ? text : text.replace(pattern, REDACTED);
		}
		function literally(text) {
			return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
		}
		function encoded(secret) {
			return encodeURIComponent(secret.toWellFormed());
		}
		function base64Forms(secret) {
			return [
				0,
				1,
				2
			].map((before) => {
				const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
				const first = Math.ceil(before * 8 / 6);
				const end = Math.floor(bytes.length * 8 / 6);
				return bytes.toString("base64").slice(first, end);
			}).filter((form) => form.length >= SHORTEST_SECRET_PART).flatMap((form) => [form, form.replaceAll("+", "-").replaceAll("/", "_")]);
		}
		const PROXY_CONNECTION = "UND_ERR_PRX_CONN";
		const FAULTS = new Map([
			["getaddrinfo", ["no", "dns"]],
			["connect ETIMEDOUT", ["no", "connect-timeout"]],
			["connect EHOSTUNREACH", ["no", "other"]],
			["connect ENETUNREACH", ["no", "other"]],
			["connect EADDRNOTAVAIL", ["no", "other"]],
			["ENOTFOUND", ["no", "dns"]],
			["EAI_AGAIN", ["no", "dns"]],
			["ECONNREFUSED", ["no", "refused"]],
			["UND_ERR_CONNECT_TIMEOUT", ["no", "connect-timeout"]],
			[PROXY_CONNECTION, ["no", "proxy"]],
			["UND_ERR_PRX_TLS", ["no", "proxy"]],
			["ECONNRESET", ["unknown", "reset"]],
			["EPIPE", ["unknown", "reset"]],
			["UND_ERR_SOCKET", ["unknown", "reset"]],
			["UND_ERR_RES_CONTENT_LENGTH_MISMATCH", ["unknown", "reset"]],
			["ETIMEDOUT", ["unknown", "timeout"]],
			["UND_ERR_HEADERS_TIMEOUT", ["unknown", "timeout"]],
			["UND_ERR_BODY_TIMEOUT", ["unknown", "timeout"]]
		]);
		const CERTIFICATE = /^(?:(?:DEPTH_ZERO_)?SELF_SIGNED_CERT|UNABLE_TO_(?:GET|VERIFY|DECRYPT|DECODE)_|CERT_|CRL_|ERR_TLS_CERT|ERROR_IN_CERT|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED)/;
		const NO_TUNNEL = /^proxy response \((\d+)\)/i;
		function isLostConnection(error) {
			const code = property(error, "code") ?? "";
			const [, cause] = FAULTS.get(code) ?? FAULTS.get(`connect ${code}`) ?? [];
			return cause !== void 0 && cause !== "proxy";
		}
		function isLasting(fault) {
			return fault === "certificate" || fault === "proxy-credentials";
		}
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
			const [sent, cause] = classify(error, code, property(error, "syscall") ?? "");
			return {
				sent,
				cause,
				detail
			};
		}
		function classify({ message }, code, syscall) {
			const known = FAULTS.get(syscall) ?? FAULTS.get(`${syscall} ${code}`);
			if (known !== void 0) return known;
			if (CERTIFICATE.test(code)) return ["no", "certificate"];
			const [, status] = NO_TUNNEL.exec(message) ?? [];
			if (status !== void 0) return ["no", status === "407" ? "proxy-credentials" : "proxy"];
			return FAULTS.get(code) ?? ["unknown", "other"];
		}
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
		function errors_explainGitHubError(error) {
			return sentencesOf({
				cause: errors_causeOf(error),
				nextStep: fixOf(error)
			});
		}
		function errors_causeOf({ kind, operation, status, message }) {
			const said = message === "" ? "" : ` (${message})`;
			return `Could not ${operation}: ${CAUSES[kind].replace("STATUS", `${status}`)}${said}.`;
		}
		function lacksPermission({ kind, message }) {
			return kind === "forbidden" && /not accessible by/i.test(message);
		}
		function fixOf(error) {
			const { kind, permission } = error;
			switch (kind) {
				case "forbidden":
					if (!lacksPermission(error)) return fixOfDenial(error.message);
					return permission.endsWith(": write") ? `On \`pull_request\`, GitHub gives forks a read-only token. In all other cases, add \`${permission}\` to the job's \`permissions\` and push.` : `Add \`${permission}\` to the job's \`permissions\` and push.`;
				case "not-found": return `If it exists, add \`${permission}\` to the job's \`permissions\` and push.`;
				case "unauthorized": return "Check `github-token`. The token of an app expires after one hour.";
				case "rate-limited": return "Re-run this job later, or set `github-token` to a token that has not reached its rate limit.";
				case "refused": return "If GitHub's answer does not help, please open an issue in the Scangate repository.";
				case "invalid": return "Check GITHUB_API_URL, and whether a proxy answered instead of GitHub.";
				case "too-large": return "Shorten or delete what is so large, or please open an issue in the Scangate repository.";
				case "unreachable": return "Re-run this job. If it fails again, check the runner's network and GitHub's status page.";
				case "stopped": return "";
			}
		}
		const DENIALS = [
			[/\blocked\b/i, "Unlock the conversation, and re-run this job."],
			[/more than [\d,]+ comments/i, "Open a new pull request for this change, or set `comment: never`."],
			[/IP allow list/i, "Ask an organization owner to add the runner's address to the IP allow list."],
			[/\bSAML\b/i, "Ask the owner of `github-token` to authorize the token for single sign-on to the organization."],
			[/must have (?:push|write|admin)/i, "Set `github-token` to a token whose owner has this access, or remove it to use the job's own token."]
		];
		function fixOfDenial(message) {
			if (message === "") return "Check `github-token`, and whether a proxy answered instead of GitHub.";
			const [, fix] = DENIALS.find(([pattern]) => pattern.test(message)) ?? [];
			return fix ?? "Do what GitHub's answer asks for.";
		}
		const CAUSES = {
			forbidden: "GitHub denied access",
			"not-found": "GitHub returned 404, which can also mean that the token has no access",
			unauthorized: "GitHub rejected the token",
			"rate-limited": "the token reached its GitHub rate limit",
			refused: "GitHub returned STATUS",
			invalid: "the response is not what GitHub's API documents",
			"too-large": `the response is larger than ${largestBody("github")}`,
			unreachable: "GitHub could not be reached",
			stopped: "the job was stopped first"
		};
		const MAX_ATTEMPTS = 3;
		const UNNAMED_RATE_LIMIT_MS = 6e4;
		const LONGEST_RATE_LIMIT_MS = 6e4;
		const RATE_LIMIT_BUDGET_MS = 75e3;
		const PAUSE_AFTER_LOSS_MS = 3e3;
		const BACKOFF_MS = [1e3, 3e3];
		function afterFailedSend(failure, repeatable, sends) {
			const isLimited = failure.error.kind === "rate-limited";
			const unnamed = isLimited ? UNNAMED_RATE_LIMIT_MS : BACKOFF_MS[sends - 1] ?? 3e3;
			const waitMs = advisedWait(isLimited ? "rate-limit" : "failure", failure.retryAfterSeconds) ?? unnamed;
			const again = sends < MAX_ATTEMPTS && failure.retryable && (repeatable || !failure.error.ambiguous) && !(isLimited && waitMs > LONGEST_RATE_LIMIT_MS);
			return {
				again,
				waitMs,
				forAll: isLimited && again
			};
		}
		const Answered = object({
			status: number(),
			response: object({
				headers: record(string(), unknown()),
				data: unknown()
			})
		});
		const ErrorBody = object({
			message: string(),
			errors: optional(array(unknown()))
		});
		const FIX = {
			certificate: "the certificate is not trusted; set NODE_EXTRA_CA_CERTS for a private certificate authority",
			"proxy-credentials": "the proxy requires a user name and a password; set HTTPS_PROXY to http://name:password@host:port",
			proxy: "the proxy could not connect; check HTTPS_PROXY and NO_PROXY, and what the proxy allows"
		};
		function failureOf(thrown, request, ours) {
			const answered = safeParse(Answered, thrown);
			if (answered.success) return answeredFailure(answered.output, request, ours);
			if (request.endedBy === "caller") return failure(request, {
				kind: "stopped",
				message: ""
			});
			if (request.endedBy === "deadline") return failure(request, {
				kind: "unreachable",
				message: "no response in time"
			}, { retryable: true });
			const { sent, cause, detail } = readConnectionError(thrown);
			const fix = FIX[cause];
			return failure(request, {
				kind: "unreachable",
				message: fix === void 0 ? detail : `${fix} (${detail})`,
				ambiguous: sent === "unknown"
			}, { retryable: !isLasting(cause) });
		}
		function cutAnswer(request, status) {
			if (request.endedBy === "caller") return failure(request, {
				kind: "stopped",
				message: ""
			});
			return failure(request, {
				kind: "unreachable",
				status,
				message: request.endedBy === "deadline" ? "the response did not end in time" : "the response was cut off"
			}, { retryable: true });
		}
		function errors_unusable({ operation, permission }, message) {
			return {
				kind: "invalid",
				operation,
				permission,
				status: 200,
				message,
				ambiguous: false
			};
		}
		function answeredFailure({ status, response }, request, ours) {
			const message = messageOf(response.data);
			const definite = {
				status,
				message,
				ambiguous: false
			};
			const retryAfterSeconds = waitNamedBy(response.headers, ours);
			if (status === 429 || status === 403 && isRateLimit(response.headers, message)) return failure(request, {
				...definite,
				kind: "rate-limited"
			}, {
				retryable: true,
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
				retryable: true,
				retryAfterSeconds
			});
			return failure(request, {
				...definite,
				kind: "refused"
			});
		}
		function failure({ operation, permission }, error, again = {}) {
			const { status, ambiguous = true } = error;
			return {
				error: {
					...error,
					operation,
					permission,
					status,
					ambiguous
				},
				retryable: again.retryable ?? false,
				retryAfterSeconds: again.retryAfterSeconds
			};
		}
		function isRateLimit(headers, message) {
			return headers["retry-after"] !== void 0 || headers["x-ratelimit-remaining"] === "0" || namesRateLimit(message);
		}
		function namesRateLimit(message) {
			return /rate limit|abuse detection/i.test(message);
		}
		function waitNamedBy(headers, ours) {
			const date = parseHttpDate(String(headers["date"])) ?? ours;
			const named = headers["retry-after"];
			const after = parseRetryAfter(named === void 0 ? null : String(named), date);
			if (after !== void 0 || headers["x-ratelimit-remaining"] !== "0") return after;
			const reset = Number(headers["x-ratelimit-reset"] ?? NaN) - date.getTime() / 1e3;
			return Number.isFinite(reset) && reset > 0 ? reset : void 0;
		}
		const LONGEST_MESSAGE = 300;
		function messageLine(text) {
			const line = text.replace(/[\s\p{Cc}]+/gu, " ").trim();
			return line.length > LONGEST_MESSAGE ? `${line.slice(0, 299).toWellFormed()}\u2026` : line;
		}
		function messageOf(data) {
			const body = safeParse(ErrorBody, data);
			if (!body.success) return "";
			const { message, errors = [] } = body.output;
			return [message, ...errors.map((error) => typeof error === "string" ? error : JSON.stringify(error))].join("; ");
		}
		const API_VERSION = "2022-11-28";
		function createGitHub(options) {
			const { token, environment, clock, debug } = options;
			const { owner, repo, graphqlUrl } = environment;
			const redact = redactor(token);
			const pause = createPause(clock, RATE_LIMIT_BUDGET_MS);
			const octokit = token === "" ? void 0 : quietOctokit(token, environment.apiUrl);
			async function attemptOnce({ operation, permission, route, parameters, answer }, signal, onStatus) {
				return withDeadline({
					clock,
					signal,
					ms: options.attemptMs
				}, async (attempt) => {
					const failed = () => ({
						operation,
						permission,
						endedBy: attempt.endedBy()
					});
					if (octokit === void 0) return result_err(failure(failed(), {
						kind: "unauthorized",
						status: 401,
						message: "there is no usable token",
						ambiguous: false
					}));
					let oversize = false;
					try {
						const response = await octokit.request(route, {
							owner,
							repo,
							...parameters,
							headers: { "x-github-api-version": API_VERSION },
							request: {
								signal: attempt.signal,
								redirect: route.startsWith("GET ") ? "follow" : "manual",
								fetch: limitedFetch(options.fetch, "github", () => {
									oversize = true;
								})
							}
						});
						const { status, headers } = response;
						onStatus(status);
						const invalid = (message, again = {}) => result_err(failure(failed(), {
							kind: "invalid",
							status,
							message
						}, again));
						if (status >= 300) return invalid(`a redirect, status ${status}`);
						if (oversize) return result_err(failure(failed(), {
							kind: "too-large",
							status,
							message: ""
						}));
						const data = response.data;
						const parsed = safeParse(answer, data);
						if (parsed.success) return result_ok({
							data: parsed.output,
							hasNextPage: /;\s*rel="?next"?/.test(headers.link ?? "")
						});
						if (data === "") return result_err(cutAnswer(failed(), status));
						if (typeof data === "string") return invalid("the answer is not JSON", { retryable: true });
						return invalid(describe(parsed.issues));
					} catch (thrown) {
						return result_err(failureOf(thrown, failed(), clock.date()));
					}
				});
			}
			async function tracedAttempt(request, signal, sends) {
				const began = clock.now();
				let end = "";
				const result = await attemptOnce(request, signal, (status) => {
					end = String(status);
				});
				if (debug !== void 0 && octokit !== void 0) {
					if (!result.ok) end = endOf(result.error.error);
					const ms = clock.now() - began;
					debug(redact(requestLine({
						...methodAndRoute(request.route),
						end,
						attempt: sends,
						ms
					})));
				}
				return result;
			}
			const until = (signal) => ({
				owner,
				repo,
				graphqlUrl,
				signal,
				until,
				async ask(request) {
					const repeatable = request.repeatable ?? !request.route.startsWith("POST ");
					const afterFailure = (failure, sends) => {
						const after = afterFailedSend(failure, repeatable, sends);
						return signal.aborted ? {
							...after,
							again: false
						} : after;
					};
					const answer = await withRetry({
						clock,
						signal,
						pause,
						afterFailure
					}, (sends) => tracedAttempt(request, signal, sends));
					if (answer.ok) return answer;
					const { error } = answer.error;
					return result_err({
						...error,
						message: messageLine(redact(error.message))
					});
				},
				pauseAfterLoss: () => clock.sleep(PAUSE_AFTER_LOSS_MS, signal)
			});
			return { until };
		}
		function quietOctokit(token, baseUrl) {
			const log = {
				debug: silent,
				info: silent,
				warn: silent,
				error: silent
			};
			return getOctokit(token, {
				baseUrl,
				userAgent: "scangate",
				log,
				request: { log }
			});
		}
		function silent() {}
		function endOf({ status, kind }) {
			return status === void 0 ? kind : `${status} ${kind}`;
		}
		function methodAndRoute(route) {
			const [method = "", target = ""] = route.split(" ");
			const [plain = ""] = (URL.parse(target)?.pathname ?? target).split("?");
			return {
				method,
				route: plain
			};
		}
		function describe(issues) {
			return `${getDotPath(issues[0]) ?? "the body"} is missing or malformed`;
		}
		const LARGEST_PAGE = 100;
		const SMALLER = 10;
		async function octokit_read(github, request) {
			const answer = await github.ask(request);
			if (answer.ok) return result_ok(answer.value.data);
			return answer.error.kind === "not-found" ? request.absent ?? answer : answer;
		}
		async function octokit_readPages(github, request, most) {
			const items = [];
			let size = LARGEST_PAGE;
			for (let read = 0; read < most; read += size) {
				const ask = () => {
					const parameters = {
						...request.parameters,
						per_page: size,
						page: read / size + 1
					};
					return github.ask({
						...request,
						parameters
					});
				};
				let answer = await ask();
				while (!answer.ok && answer.error.kind === "too-large" && size > 1) {
					size /= SMALLER;
					answer = await ask();
				}
				if (!answer.ok) return answer;
				items.push(...answer.value.data);
				if (!answer.value.hasNextPage) return result_ok(items);
			}
			return request.tooMany === void 0 ? result_ok(items) : result_err(errors_unusable(request, request.tooMany));
		}
		function target_isCommitId(value) {
			return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(value);
		}
		const schemas_CommitId = pipe(string(), check(target_isCommitId, "not a full commit id"));
		const Timestamp = pipe(string(), isoTimestamp(), transform((text) => new Date(text)), check((date) => !Number.isNaN(date.getTime()), "not a time"));
		const WebAddress = pipe(nullish(string()), transform((value) => {
			const url = value == null ? null : URL.parse(value);
			return url?.protocol === "https:" || url?.protocol === "http:" ? url.href : void 0;
		}));
		function outputOnTheWire(output, annotations) {
			return {
				title: visible_text_cutCharacters(output.title, CHECK_TITLE_CHARACTERS),
				summary: cutBytes(output.summary, CHECK_TEXT_BYTES),
				...output.text === "" ? {} : { text: cutBytes(output.text, CHECK_TEXT_BYTES) },
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
				title: visible_text_cutCharacters(annotation.title, ANNOTATION_TITLE_CHARACTERS),
				message: cutBytes(annotation.message, ANNOTATION_TEXT_BYTES),
				...rawDetails === void 0 ? {} : { raw_details: cutBytes(rawDetails, ANNOTATION_TEXT_BYTES) }
			};
		}
		const Listed = object({
			id: number(),
			name: string(),
			head_sha: string(),
			html_url: optional(WebAddress),
			external_id: nullish(string(), ""),
			status: nullish(string()),
			output: nullish(object({ summary: nullish(string()) }))
		});
		function listedOf(run) {
			return {
				id: run.id,
				name: run.name,
				url: run.html_url,
				externalId: run.external_id,
				status: run.status ?? void 0,
				summary: run.output?.summary ?? ""
			};
		}
		const MOST_CHECK_RUNS = 5e3;
		const permission = "checks: write";
		async function listCheckRuns(github, headSha, name) {
			const listed = await octokit_readPages(github, {
				operation: "list the check runs",
				permission,
				route: "GET /repos/{owner}/{repo}/commits/{ref}/check-runs",
				parameters: {
					ref: headSha,
					...name === void 0 ? {} : { check_name: name },
					filter: "all"
				},
				answer: pipe(object({ check_runs: array(Listed) }), transform(({ check_runs: runs }) => runs.filter((run) => run.head_sha === headSha).map(listedOf))),
				tooMany: `more than ${MOST_CHECK_RUNS} check runs`
			}, MOST_CHECK_RUNS);
			if (!listed.ok) return listed;
			return result_ok([...new Map(listed.value.map((run) => [run.id, run])).values()].sort((a, b) => b.id - a.id));
		}
		const ANNOTATIONS_PER_REQUEST = 50;
		const Created = object({
			id: number(),
			html_url: optional(WebAddress)
		});
		const CheckRunShown = pipe(Created, transform(({ id, html_url: url }) => ({
			id,
			url
		})));
		const Annotated = pipe(object({
			...Created.entries,
			output: object({ annotations_count: number() })
		}), transform(({ id, html_url: url, output }) => ({
			run: {
				id,
				url
			},
			annotated: output.annotations_count
		})));
		async function completeCheckRun(github, checkRunId, identity, result, mayCreate) {
			const { conclusion, output, annotations } = result;
			const first = annotations.slice(0, ANNOTATIONS_PER_REQUEST);
			const conclude = (batch, shown) => ({
				status: "completed",
				conclusion,
				output: outputOnTheWire(shown, batch)
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
				const { externalId } = identity;
				const named = {
					...externalId === void 0 ? {} : { external_id: externalId },
					...detailsOf(identity)
				};
				done = await send((batch) => update(github, checkRunId, {
					...named,
					...conclude(batch, output)
				}, batch.length, 0));
				if (!done.ok && !(mayCreate && isRefusal(done.error))) return done;
			}
			const notUpdated = done?.ok === false ? done.error : void 0;
			if (done === void 0 || !done.ok) done = await send((batch) => createOnce(github, {
				...identity,
				externalId: identity.externalId ?? ""
			}, output, (stamped) => conclude(batch, stamped)));
			if (!done.ok) return done;
			let annotated = refusal === void 0 ? first.length : 0;
			let fault = refusal;
			const refused = refusal === void 0 ? [] : [...first];
			for (let start = ANNOTATIONS_PER_REQUEST; start < annotations.length; start += ANNOTATIONS_PER_REQUEST) {
				const batch = annotations.slice(start, start + ANNOTATIONS_PER_REQUEST);
				const body = { output: outputOnTheWire(output, batch) };
				const answer = await update(github, done.value.id, body, batch.length, annotated);
				if (answer.ok) {
					annotated += batch.length;
					continue;
				}
				fault ??= answer.error;
				refused.push(...batch);
				if (answer.error.status === 422) continue;
				refused.push(...annotations.slice(start + ANNOTATIONS_PER_REQUEST));
				break;
			}
			return result_ok({
				url: done.value.url,
				annotated,
				refused,
				fault,
				notUpdated
			});
		}
		function detailsOf({ detailsUrl }) {
			return detailsUrl === void 0 ? {} : { details_url: detailsUrl };
		}
		function isRefusal({ kind }) {
			return kind === "forbidden" || kind === "not-found" || kind === "refused";
		}
		async function update(github, checkRunId, body, adds, shownBefore) {
			const patch = () => octokit_read(github, {
				operation: "update the check run",
				permission,
				route: "PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}",
				parameters: {
					check_run_id: checkRunId,
					...body
				},
				answer: CheckRunShown,
				repeatable: adds === 0
			});
			let answer = await patch();
			if (!answer.ok && answer.error.kind === "not-found") {
				await github.pauseAfterLoss();
				answer = await patch();
			}
			for (let again = 0; again < 2 && adds > 0 && !answer.ok && isLost(answer.error); again += 1) {
				await github.pauseAfterLoss();
				const shown = await octokit_read(github, {
					operation: "read the check run",
					permission,
					route: "GET /repos/{owner}/{repo}/check-runs/{check_run_id}",
					parameters: { check_run_id: checkRunId },
					answer: Annotated
				});
				if (shown.ok && shown.value.annotated >= shownBefore + adds) return result_ok(shown.value.run);
				answer = await patch();
			}
			return answer;
		}
		async function createOnce(github, { name, headSha, externalId, detailsUrl }, output, bodyOf) {
			const stamp = `<!-- ${(0, load_node_crypto().randomUUID)()} -->\n`;
			const body = bodyOf({
				...output,
				summary: `${stamp}${output.summary}`
			});
			const create = () => octokit_read(github, {
				operation: "create the check run",
				permission,
				route: "POST /repos/{owner}/{repo}/check-runs",
				parameters: {
					name,
					head_sha: headSha,
					external_id: externalId,
					...detailsOf({ detailsUrl }),
					...body
				},
				answer: CheckRunShown
			});
			let answer = await create();
			if (!answer.ok && isLost(answer.error)) {
				await github.pauseAfterLoss();
				const list = await listCheckRuns(github, headSha, name);
				if (!list.ok) return result_err(answer.error);
				const ours = list.value.find((run) => run.externalId === externalId && run.summary.startsWith(stamp));
				if (ours !== void 0) return result_ok({
					id: ours.id,
					url: ours.url
				});
				answer = await create();
			}
			return answer;
		}
		function isLost(error) {
			return error.ambiguous && error.kind !== "stopped";
		}
		const GITHUB_COM = {
			serverUrl: "https://github.com",
			apiUrl: "https://api.github.com"
		};
		function environment_readEnvironment(env) {
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
				if (value === void 0) faults.push(`${name} is not an http or https URL`);
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
			if (faults.length > 0) return result_err({
				reason: "configuration",
				cause: `This does not look like a GitHub Actions step: ${faults.join("; ")}.`,
				nextStep: "Run Scangate as a step of a workflow, and do not override the `GITHUB_` variables."
			});
			const page = `${serverUrl}/${owner}/${repo}/actions`;
			return result_ok({
				eventName,
				eventPath,
				owner,
				repo,
				repositoryId: env["GITHUB_REPOSITORY_ID"] || repository.toLowerCase(),
				serverUrl,
				apiUrl,
				graphqlUrl,
				runId,
				runAttempt,
				runUrl: runId === 0 ? page : `${page}/runs/${runId}`,
				sha: env["GITHUB_SHA"] ?? "",
				ref: env["GITHUB_REF"] ?? "",
				actor: env["GITHUB_ACTOR"] ?? "",
				triggeringActor: env["GITHUB_TRIGGERING_ACTOR"] || env["GITHUB_ACTOR"] || "",
				runnerTemp: env["RUNNER_TEMP"] || void 0
			});
		}
		function graphqlAddressOf(apiUrl) {
			return apiUrl.endsWith("/api/v3") ? apiUrl.replace(/\/v3$/, "/graphql") : `${apiUrl}/graphql`;
		}
		function httpAddress(value) {
			const url = URL.parse(value);
			if (url === null || url.protocol !== "https:" && url.protocol !== "http:") return void 0;
			if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") return void 0;
			return url.href.replace(/\/+$/, "");
		}
		const load_node_diagnostics_channel = () => process.getBuiltinModule("node:diagnostics_channel");
		const load_node_http = () => process.getBuiltinModule("node:http");
		const VARIABLES = [
			"HTTPS_PROXY",
			"https_proxy",
			"HTTP_PROXY",
			"http_proxy"
		];
		const LOOPBACK = [
			"localhost",
			"127.0.0.1",
			"[::1]"
		];
		function proxy_useProxy(env, baseUrl, node) {
			const named = proxyVariable(env);
			if (named === void 0) return void 0;
			const honour = Reflect.get(node ?? load_node_http(), "setGlobalProxyFromEnv");
			if (typeof honour !== "function") return {
				reason: "configuration",
				cause: `${named} is set, but Node ${process.versions.node} on this runner does not support it.`,
				nextStep: "Update the runner to a version with Node 24.14 or later, or unset the variable for this step."
			};
			try {
				honour(withDirectHosts(env, baseUrl));
				(0, load_node_diagnostics_channel().subscribe)("undici:request:error", nameLostTunnel);
				return;
			} catch {
				return {
					reason: "configuration",
					cause: `${named} or another proxy variable is not a valid URL.`,
					nextStep: "Fix the proxy variables of the runner, for example `http://proxy.example:3128`."
				};
			}
		}
		function proxyVariable(env) {
			return VARIABLES.find((name) => env[name]);
		}
		function withDirectHosts(env, baseUrl) {
			const service = URL.parse(baseUrl);
			const ofService = service?.protocol === "http:" ? [service.hostname] : [];
			const named = env["no_proxy"] ?? env["NO_PROXY"] ?? "";
			if (named.trim() === "*") return env;
			const direct = [...new Set([
				...named.split(/[\s,]+/).filter(Boolean),
				...LOOPBACK,
				...ofService
			])].join(",");
			return {
				...env,
				NO_PROXY: direct,
				no_proxy: direct
			};
		}
		function nameLostTunnel(message) {
			const error = member(message, "error");
			if (member(member(message, "request"), "method") !== "CONNECT" || !(error instanceof Error)) return;
			if (isLostConnection(error)) Reflect.set(error, "code", PROXY_CONNECTION);
		}
		function member(value, name) {
			return typeof value === "object" && value !== null ? Reflect.get(value, name) : void 0;
		}
		const VERIFICATION = "NODE_TLS_REJECT_UNAUTHORIZED";
		function verifyCertificates(env) {
			const isOff = env[VERIFICATION] === "0";
			delete env[VERIFICATION];
			return isOff ? IGNORED : void 0;
		}
		const IGNORED = `\`${VERIFICATION}\` is ignored, because Scangate always verifies certificates. If a server has a certificate of your own authority, set \`NODE_EXTRA_CA_CERTS\` to the file of that authority.`;
		const WRAP_UP_AFTER_SIGNAL_MS = 6500;
		const LAUNCH_AFTER_STOP_MS = 3500;
		const WRAP_UP_AFTER_TIMEOUT_MS = 3e4;
		const CANCELLING_MS = {
			signal: 5500,
			timeout: 2e4
		};
		const SEARCH_MS = 6e4;
		const SEARCH_AFTER_SIGNAL_MS = 1e3;
		const CLEAN_UP_MS = 75e3;
		function createDeadlines(clock) {
			const work = new AbortController();
			const launch = new AbortController();
			const cancelling = new AbortController();
			const wrapUp = new AbortController();
			const signalled = new AbortController();
			let searchEnds = Number.NEGATIVE_INFINITY;
			let endsAt = Number.POSITIVE_INFINITY;
			const abortLater = (controller, ms, stop) => void clock.sleep(ms, controller.signal).then(() => controller.abort(stop));
			const abortAfterSearch = (controller, ms, reason) => void clock.sleep(ms, controller.signal).then(() => {
				const left = searchEnds + ms - clock.now();
				abortLater(controller, Math.min(Math.max(left, 0), SEARCH_MS), reason);
			});
			const stop = (cause) => {
				const reason = new Stop(cause);
				work.abort(reason);
				abortLater(launch, LAUNCH_AFTER_STOP_MS, reason);
				endsAt = clock.now() + CANCELLING_MS[cause];
				if (cause === "signal") {
					signalled.abort(reason);
					abortLater(cancelling, CANCELLING_MS.signal, reason);
					abortLater(wrapUp, WRAP_UP_AFTER_SIGNAL_MS, reason);
				} else {
					abortAfterSearch(cancelling, CANCELLING_MS.timeout, reason);
					abortAfterSearch(wrapUp, WRAP_UP_AFTER_TIMEOUT_MS, reason);
				}
			};
			return {
				work: work.signal,
				launch: launch.signal,
				cancelling: cancelling.signal,
				wrapUp: wrapUp.signal,
				signalled: signalled.signal,
				stop,
				startTimeout: (minutes) => {
					endsAt = clock.now() + minutes * 6e4;
					clock.sleep(minutes * 6e4, work.signal).then(() => {
						if (!work.signal.aborted) stop("timeout");
					});
				},
				leftMs: () => endsAt - clock.now(),
				startSearch: () => {
					searchEnds = clock.now() + SEARCH_MS;
					const search = new AbortController();
					abortLater(search, SEARCH_MS, new Stop("timeout"));
					const hurry = () => abortLater(search, SEARCH_AFTER_SIGNAL_MS, new Stop("signal"));
					if (signalled.signal.aborted) hurry();
					else signalled.signal.addEventListener("abort", hurry, { once: true });
					return search.signal;
				}
			};
		}
		function createCleanUpDeadlines(clock) {
			const after = (ms) => {
				const controller = new AbortController();
				clock.sleep(ms).then(() => controller.abort(new Stop("timeout")));
				return controller.signal;
			};
			const endsAt = clock.now() + CLEAN_UP_MS;
			return {
				all: after(CLEAN_UP_MS),
				search: after(SEARCH_MS),
				leftMs: () => endsAt - clock.now()
			};
		}
		const load_node_path = () => process.getBuiltinModule("node:path");
		const finding_SEVERITY_LEVELS = [
			"critical",
			"high",
			"medium",
			"low",
			"info"
		];
		const LEVEL_OF_WORD = new Map([
			["CRITICAL", "critical"],
			["HIGH", "high"],
			["MEDIUM", "medium"],
			["LOW", "low"],
			["INFO", "info"],
			["INFORMATIONAL", "info"],
			["NONE", "info"]
		]);
		function severityOf(word) {
			return {
				level: (word === void 0 ? void 0 : LEVEL_OF_WORD.get(word.trim().toUpperCase())) ?? "unknown",
				word: word ?? ""
			};
		}
		function finding_countSeverities(severities) {
			const counts = {};
			for (const level of finding_SEVERITY_LEVELS) counts[level.toUpperCase()] = 0;
			for (const { level } of severities) {
				const key = level.toUpperCase();
				counts[key] = (counts[key] ?? 0) + 1;
			}
			return counts;
		}
		const UNTITLED = "Untitled finding";
		const LONGEST_PATTERN = 500;
		function parsePathPattern(given) {
			const takesBack = given.startsWith("!");
			const text = takesBack ? given.slice(1) : given;
			const slip = slipOf(text);
			if (slip !== void 0) return result_err(slip);
			const tokens = tokensOf([...text]);
			return tokens.ok ? result_ok({
				text: given,
				takesBack,
				tokens: tokens.value
			}) : tokens;
		}
		const WIDTH = {
			"name-run": 1,
			run: 2,
			folders: 3
		};
		const SLIPS = [
			[/^$/, "Write a pattern after `!`."],
			[/^!/, "Use one `!`. For a name that begins with `!`, write `\\!`."],
			[new RegExp(`^.{501,}`, "su"), `Use at most ${LONGEST_PATTERN} characters.`],
			[{ test: hasInvisible }, "Remove the invisible character."],
			[/^\s|\s$/u, "Remove the space after `!`."],
			[/^- /, "Write one pattern per line, without `- `."],
			[/^['"]|(?<!\\)['"]$/, "Remove the quotation marks."],
			[/^#|\s#/, "Remove the comment. For a `#` in a name, write `\\#`."],
			[/(?<!\\),/, "Write one pattern per line. For a comma in a name, write `\\,`."],
			[/(?<!\\)[{}]/, "Write one pattern per line instead of `{\u2026}`. For a brace in a name, write `\\{` or `\\}`."],
			[/\\$/, "Remove the `\\` at the end."],
			[/\\[^*?+[\]!#,{}'"]|[^\\/]\\\*(?:[*.]|$)/, "Use `/` between folders. A `\\` may only stand before one of `* ? + [ ] ! # , { } ' \"`."],
			[/^[a-z]:/i, "Begin at the root of the repository, without a drive."],
			[/^\//, "Remove the `/` at the start. Patterns begin at the root of the repository."],
			[/\/$/, "For all files in a folder, end the pattern with `/**`."],
			[/\/\//, "Remove the empty folder name (`//`)."],
			[/(?:^|\/)\.\.?(?:\/|$)/, "Remove `./` and `../`. Patterns begin at the root of the repository."],
			[/(?<!\\)\*\*\*/, "Use `*` for a part of one name, or `**` for any path."]
		];
		function slipOf(text) {
			return SLIPS.find(([found]) => found.test(text))?.[1];
		}
		function tokensOf(chars) {
			const tokens = [];
			let at = 0;
			for (let char = chars[0]; char !== void 0; char = chars[at]) {
				const rest = chars.slice(at + 1, at + 3).join("");
				if (char === "*") {
					const isStart = at === 0 || chars[at - 1] === "/";
					const kind = !rest.startsWith("*") ? "name-run" : rest === "*/" && isStart ? "folders" : "run";
					tokens.push({ kind });
					at += WIDTH[kind];
					continue;
				}
				if (char === "?" || char === "+") return result_err(NOTHING_BEFORE);
				if (char === "]") return result_err("Open the set with `[`. For a bracket in a name, write `\\]`.");
				let ranges = [[char, char]];
				let next = at + 1;
				const escaped = char === "\\" ? chars[next] : void 0;
				if (escaped !== void 0) {
					ranges = [[escaped, escaped]];
					next += 1;
				} else if (char === "[") {
					const end = chars.indexOf("]", at);
					if (end === -1) return result_err("Close the set with `]`. For a bracket in a name, write `\\[`.");
					const set = rangesOf(chars.slice(at + 1, end).join(""));
					if (set === void 0) return result_err(SET_FORM);
					ranges = set;
					next = end + 1;
				}
				const mark = chars[next];
				const isMarked = mark === "?" || mark === "+";
				if (isMarked && char === "/") return result_err(NOTHING_BEFORE);
				tokens.push({
					kind: "one",
					chars: ranges,
					optional: mark === "?",
					repeats: mark === "+"
				});
				at = isMarked ? next + 1 : next;
			}
			return result_ok(tokens);
		}
		const NOTHING_BEFORE = "A `?` or `+` repeats the character before it, and needs a letter, a digit or a set there. `?` is zero or one of it, `+` is one or more. For any characters, write `*`. For a `?` or `+` in a name, write `\\?` or `\\+`.";
		const SET_FORM = "A set has letters, digits and their ranges, for example `[a-z0-9]`. For a bracket in a name, write `\\[` and `\\]`.";
		function rangesOf(set) {
			if (!/^(?:[a-z](?:-[a-z])?|[A-Z](?:-[A-Z])?|[0-9](?:-[0-9])?)+$/.test(set)) return void 0;
			const ranges = [...set.matchAll(/.-.|./g)].map(([range]) => [range.charAt(0), range.slice(-1)]);
			return ranges.every(([first, last]) => first <= last) ? ranges : void 0;
		}
		function matchesPattern({ tokens, takesBack }, path) {
			const orBelow = takesBack && tokens.at(-1)?.kind === "one";
			let live = withSkipped(tokens, new Set([0]), true);
			for (const char of path) {
				if (orBelow && char === "/" && live.has(tokens.length)) return true;
				const next = new Set();
				for (const index of live) {
					const token = tokens[index];
					if (token === void 0) continue;
					const stays = token.kind === "one" ? token.repeats : token.kind !== "name-run" || char !== "/";
					const takes = token.kind !== "one" || token.chars.some(([first, last]) => first <= char && char <= last);
					if (takes && stays) next.add(index);
					if (takes && token.kind === "one") next.add(index + 1);
				}
				if (next.size === 0) return false;
				live = withSkipped(tokens, next, char === "/");
			}
			return live.has(tokens.length);
		}
		function withSkipped(tokens, live, atStart) {
			for (const index of live) {
				const token = tokens[index];
				if (token === void 0) continue;
				if (token.kind === "folders" ? atStart : token.kind !== "one" || token.optional) live.add(index + 1);
			}
			return live;
		}
		function sampleOf({ tokens }, name) {
			return tokens.map((token) => token.kind === "one" ? token.chars.flat()[0] : token.kind === "folders" ? "" : name).join("");
		}
		const MOST_PATTERNS = 200;
		const LONGEST_PATH = 4096;
		function readPathPatterns(text) {
			const lines = text.split(/\r?\n/).map((line) => line.trim()).filter((line) => line !== "");
			const patterns = [];
			const slips = [];
			for (const line of lines) {
				const read = parsePathPattern(line);
				if (read.ok) patterns.push(read.value);
				else slips.push({
					pattern: line,
					sentence: read.error
				});
			}
			if (lines.length > MOST_PATTERNS) slips.push({
				pattern: void 0,
				sentence: `Use at most ${MOST_PATTERNS} patterns.`
			});
			if (slips.length === 0 && patterns[0]?.takesBack === true) slips.push({
				pattern: lines[0],
				sentence: "Write a pattern without `!` before it. `!` takes back what an earlier line matched."
			});
			return {
				patterns: slips.length === 0 ? patterns : [],
				slips
			};
		}
		function path_patterns_matchesPath(patterns, path) {
			if (!isPlainPath(path)) return false;
			return patterns.findLast((pattern) => matchesPattern(pattern, path))?.takesBack === false;
		}
		function isPlainPath(path) {
			return pathFault(path) === void 0;
		}
		function pathFault(path) {
			if (path === "") return "is empty";
			if (path.length > LONGEST_PATH) return `has more than ${LONGEST_PATH} characters`;
			if (/^(?:[a-z]:|[/\\])/i.test(path)) return "is absolute";
			if (path.includes("\\")) return "has backslashes";
			if (hasInvisible(path)) return "has an invisible character";
			const names = path.split("/");
			if (names.includes("..")) return "leads to a parent folder";
			return names.includes(".") || names.includes("") ? "is not normalized" : void 0;
		}
		function matchesEverything(patterns) {
			const samples = patterns.map((pattern) => sampleOf(pattern, "qxz")).filter(isPlainPath);
			return [ANY_FILE, ...samples].every((path) => path_patterns_matchesPath(patterns, path));
		}
		const ANY_FILE = "qxz/qxz/qxz/qxz.qxz";
		const EVIDENCE_LEVELS = [
			"any",
			"confirmed",
			"poc"
		];
		function failOnAt(severity, evidence = "any") {
			return {
				rules: [{
					severity,
					evidence
				}],
				defaultEvidence: evidence
			};
		}
		const FAIL_ON_NONE = {
			rules: [],
			defaultEvidence: "any"
		};
		function normalRules(rules) {
			return rulesWorstFirst(rules).filter(({ evidence }, index, all) => all[index + 1]?.evidence !== evidence);
		}
		function contradiction(rules) {
			const sorted = rulesWorstFirst(rules);
			for (const [index, milder] of sorted.entries()) {
				const worse = sorted[index - 1];
				if (worse !== void 0 && proofOf(worse) > proofOf(milder)) return {
					worse,
					milder
				};
			}
		}
		function rulesWorstFirst(rules) {
			return finding_SEVERITY_LEVELS.flatMap((level) => rules.filter(({ severity }) => severity === level));
		}
		function proofOf({ evidence }) {
			return EVIDENCE_LEVELS.indexOf(evidence);
		}
		finding_countSeverities([]);
		const load_node_net = () => process.getBuiltinModule("node:net");
		function utils_toCommandValue(input) {
			if (input === null || input === void 0) return "";
			else if (typeof input === "string" || input instanceof String) return input;
			return JSON.stringify(input);
		}
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
		function command_issueCommand(command, properties, message) {
			const cmd = new Command(command, properties, message);
			process.stdout.write(cmd.toString() + load_os().EOL);
		}
		function command_issue(name, message = "") {
			command_issueCommand(name, {}, message);
		}
		const CMD_STRING = "::";
		class Command {
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
		}
		function escapeData(s) {
			return utils_toCommandValue(s).replace(/%/g, "%25").replace(/\r/g, "%0D").replace(/\n/g, "%0A");
		}
		function escapeProperty(s) {
			return utils_toCommandValue(s).replace(/%/g, "%25").replace(/\r/g, "%0D").replace(/\n/g, "%0A").replace(/:/g, "%3A").replace(/,/g, "%2C");
		}
		const load_crypto = () => process.getBuiltinModule("crypto");
		function file_command_issueFileCommand(command, message) {
			const filePath = process.env[`GITHUB_${command}`];
			if (!filePath) throw new Error(`Unable to find environment variable for file command ${command}`);
			if (!load_fs().existsSync(filePath)) throw new Error(`Missing file at path: ${filePath}`);
			load_fs().appendFileSync(filePath, `${utils_toCommandValue(message)}${load_os().EOL}`, { encoding: "utf8" });
		}
		function file_command_prepareKeyValueMessage(key, value) {
			const delimiter = `ghadelimiter_${load_crypto().randomUUID()}`;
			const convertedValue = utils_toCommandValue(value);
			if (key.includes(delimiter)) throw new Error(`Unexpected input: name should not contain the delimiter "${delimiter}"`);
			if (convertedValue.includes(delimiter)) throw new Error(`Unexpected input: value should not contain the delimiter "${delimiter}"`);
			return `${key}<<${delimiter}${load_os().EOL}${convertedValue}${load_os().EOL}${delimiter}`;
		}
		notBundled("BearerCredentialHandler");
		var oidc_utils_awaiter = function(thisArg, _arguments, P, generator) {
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
		class oidc_utils_OidcClient {
			static createHttpClient(allowRetry = true, maxRetry = 10) {
				const requestOptions = {
					allowRetries: allowRetry,
					maxRetries: maxRetry
				};
				return new HttpClient("actions/oidc-client", [new BearerCredentialHandler(oidc_utils_OidcClient.getRequestToken())], requestOptions);
			}
			static getRequestToken() {
				const token = process.env["ACTIONS_ID_TOKEN_REQUEST_TOKEN"];
				if (!token) throw new Error("Unable to get ACTIONS_ID_TOKEN_REQUEST_TOKEN env variable");
				return token;
			}
			static getIDTokenUrl() {
				const runtimeUrl = process.env["ACTIONS_ID_TOKEN_REQUEST_URL"];
				if (!runtimeUrl) throw new Error("Unable to get ACTIONS_ID_TOKEN_REQUEST_URL env variable");
				return runtimeUrl;
			}
			static getCall(id_token_url) {
				return oidc_utils_awaiter(this, void 0, void 0, function* () {
					var _a;
					const id_token = (_a = (yield oidc_utils_OidcClient.createHttpClient().getJson(id_token_url).catch((error) => {
						throw new Error(`Failed to get ID Token. \n 
        Error Code : ${error.statusCode}\n 
        Error Message: ${error.message}`);
					})).result) === null || _a === void 0 ? void 0 : _a.value;
					if (!id_token) throw new Error("Response json body do not have ID Token field");
					return id_token;
				});
			}
			static getIDToken(audience) {
				return oidc_utils_awaiter(this, void 0, void 0, function* () {
					try {
						let id_token_url = oidc_utils_OidcClient.getIDTokenUrl();
						if (audience) id_token_url = `${id_token_url}&audience=${encodeURIComponent(audience)}`;
						debug(`ID token url is ${id_token_url}`);
						const id_token = yield oidc_utils_OidcClient.getCall(id_token_url);
						setSecret(id_token);
						return id_token;
					} catch (error) {
						throw new Error(`Error message: ${error.message}`);
					}
				});
			}
		}
		const { access, appendFile, writeFile } = load_fs().promises;
		const load_events = () => process.getBuiltinModule("events");
		const { chmod, copyFile, lstat, mkdir, open: io_util_open, readdir, rename, rm, rmdir, stat, symlink, unlink } = load_fs().promises;
		load_fs().constants.O_RDONLY;
		const load_timers = () => process.getBuiltinModule("timers");
		load_events().EventEmitter;
		class ExecState extends load_events().EventEmitter {
			constructor(options, toolPath) {
				super();
				this.processClosed = false;
				this.processError = "";
				this.processExitCode = 0;
				this.processExited = false;
				this.processStderr = false;
				this.delay = 1e4;
				this.done = false;
				this.timeout = null;
				if (!toolPath) throw new Error("toolPath must not be empty");
				this.options = options;
				this.toolPath = toolPath;
				if (options.delay) this.delay = options.delay;
			}
			CheckComplete() {
				if (this.done) return;
				if (this.processClosed) this._setResult();
				else if (this.processExited) this.timeout = (0, load_timers().setTimeout)(ExecState.HandleTimeout, this.delay, this);
			}
			_debug(message) {
				this.emit("debug", message);
			}
			_setResult() {
				let error;
				if (this.processExited) {
					if (this.processError) error = new Error(`There was an error when attempting to execute the process '${this.toolPath}'. This may indicate the process failed to start. Error: ${this.processError}`);
					else if (this.processExitCode !== 0 && !this.options.ignoreReturnCode) error = new Error(`The process '${this.toolPath}' failed with exit code ${this.processExitCode}`);
					else if (this.processStderr && this.options.failOnStdErr) error = new Error(`The process '${this.toolPath}' failed because one or more lines were written to the STDERR stream`);
				}
				if (this.timeout) {
					clearTimeout(this.timeout);
					this.timeout = null;
				}
				this.done = true;
				this.emit("done", error, this.processExitCode);
			}
			static HandleTimeout(state) {
				if (state.done) return;
				if (!state.processClosed && state.processExited) {
					const message = `The STDIO streams did not close within ${state.delay / 1e3} seconds of the exit event from process '${state.toolPath}'. This may indicate a child process inherited the STDIO streams and has not yet exited.`;
					state._debug(message);
				}
				state._setResult();
			}
		}
		load_os().platform();
		load_os().arch();
		var ExitCode;
		(function(ExitCode) {
			ExitCode[ExitCode["Success"] = 0] = "Success";
			ExitCode[ExitCode["Failure"] = 1] = "Failure";
		})(ExitCode || (ExitCode = {}));
		function core_setSecret(secret) {
			command_issueCommand("add-mask", {}, secret);
		}
		function getInput(name, options) {
			const val = process.env[`INPUT_${name.replace(/ /g, "_").toUpperCase()}`] || "";
			if (options && options.required && !val) throw new Error(`Input required and not supplied: ${name}`);
			if (options && options.trimWhitespace === false) return val;
			return val.trim();
		}
		function core_isDebug() {
			return process.env["RUNNER_DEBUG"] === "1";
		}
		function core_debug(message) {
			command_issueCommand("debug", {}, message);
		}
		function error(message, properties = {}) {
			command_issueCommand("error", toCommandProperties(properties), message instanceof Error ? message.toString() : message);
		}
		function warning(message, properties = {}) {
			command_issueCommand("warning", toCommandProperties(properties), message instanceof Error ? message.toString() : message);
		}
		function notice(message, properties = {}) {
			command_issueCommand("notice", toCommandProperties(properties), message instanceof Error ? message.toString() : message);
		}
		function info(message) {
			process.stdout.write(message + load_os().EOL);
		}
		function startGroup(name) {
			command_issue("group", name);
		}
		function endGroup() {
			command_issue("endgroup");
		}
		function saveState(name, value) {
			if (process.env["GITHUB_STATE"] || "") return file_command_issueFileCommand("STATE", file_command_prepareKeyValueMessage(name, value));
			command_issueCommand("save-state", { name }, utils_toCommandValue(value));
		}
		function getState(name) {
			return process.env[`STATE_${name}`] || "";
		}
		const BASE_URL_FORM = "an https URL ending in `/api/v1`, without user, query or fragment (http only for a loopback host)";
		function readBaseUrl(given, fault) {
			const url = URL.parse(given);
			if (url !== null && (url.protocol === "https:" || url.protocol === "http:" && isLoopback(url.hostname)) && url.username === "" && url.password === "" && !/[?#]/.test(given) && /\/api\/v1\/?$/.test(url.pathname)) return `${url.origin}${url.pathname.replace(/\/$/, "")}`;
			fault(`is not valid. Use ${BASE_URL_FORM}.`);
			return "";
		}
		function isLoopback(host) {
			return host === "localhost" || host === "[::1]" || (0, load_node_net().isIPv4)(host) && host.startsWith("127.");
		}
		function readObject(given, fault) {
			if (given === void 0) return {};
			try {
				const value = JSON.parse(given);
				if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
			} catch {}
			fault("is not a JSON object. Use for example `{\"commit\": null, \"commitSha\": \"\u2026\"}`.");
			return {};
		}
		function readRepositoryPath(given, fault) {
			if (given === void 0) return void 0;
			const names = given.split("/");
			if (!/[\\\p{Cc}]/u.test(given) && names.every((name) => ![
				"",
				".",
				".."
			].includes(name))) return given;
			fault(`is ${quote(given)}. Use the path of a file in the repository, for example \`.github/security-guidance.md\`.`);
		}
		const NOT_ALLOWABLE = new Map([["configuration", ", which never passes"], ["paths", ", which the input `paths-unscanned` allows by itself"]]);
		function readReasons(given, fault) {
			const values = given.split(/[,\n]/).map((word) => word.trim().toLowerCase()).filter((word) => word !== "");
			if (values.length === 1 && values[0] === "none") return [];
			const reasons = [];
			for (const word of values) {
				const reason = ALLOWABLE_REASONS.find((candidate) => candidate === word);
				if (reason === void 0) {
					const why = NOT_ALLOWABLE.get(word) ?? "";
					fault(`contains ${quote(word)}${why}. Use none, or any of: ${ALLOWABLE_REASONS.join(", ")}.`);
				} else reasons.push(reason);
			}
			return reasons;
		}
		function isInside(folder, file) {
			const relative = load_node_path().relative(folder, load_node_path().resolve(folder, file));
			return relative !== "" && relative !== ".." && !relative.startsWith(`..${load_node_path().sep}`) && !load_node_path().isAbsolute(relative);
		}
		function quote(value) {
			const shown = value.replaceAll("`", "'");
			return `\`${shown.length > 60 ? `${shown.slice(0, 60)}\u2026` : shown}\``;
		}
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
			"reuse-scan": "true",
			"scan-forks": "trusted"
		};
		function createInputReader(source = {
			getInput,
			setSecret: core_setSecret
		}) {
			const faults = [];
			const faultOf = (name) => (sentence) => void faults.push(`\`${name}\` ${sentence}`);
			const text = (name) => source.getInput(name).trim() || void 0;
			const withDefault = (name) => text(name) ?? INPUT_DEFAULTS[name];
			return {
				raw: (name) => source.getInput(name),
				text,
				withDefault,
				word: (name, legal) => {
					const given = withDefault(name);
					const found = legal.find((candidate) => candidate === given.toLowerCase());
					const shown = name === "publish-password" ? "wrong" : quote(given);
					if (found === void 0) faultOf(name)(`is ${shown}. Use one of: ${legal.join(", ")}.`);
					return found ?? INPUT_DEFAULTS[name];
				},
				wholeNumber: (name, most) => {
					const given = text(name);
					if (given === void 0) return void 0;
					const value = /^\d{1,15}$/.test(given) ? Number(given) : NaN;
					if (value >= 1 && value <= most) return value;
					const range = most === Number.MAX_SAFE_INTEGER ? "1 or more" : `from 1 to ${most}`;
					faultOf(name)(`is ${quote(given)}. Use a whole number, ${range}.`);
				},
				faultOf,
				mask: (secret) => {
					if (secret !== "") source.setSecret(secret);
				},
				faults
			};
		}
		const OTHERWISE = failOnAt("high");
		const FORM = `Use one of: ${finding_SEVERITY_LEVELS.join(", ")}, none. Or a list, for example \`critical, high:confirmed, medium:poc\`.`;
		function readFailOn(given, defaultEvidence, fault) {
			const text = given.trim().toLowerCase();
			if (text === "none") return {
				...FAIL_ON_NONE,
				defaultEvidence
			};
			const entries = text.split(/[,\n]/).map((entry) => entry.trim());
			const rules = [];
			const wrong = [];
			for (const entry of entries.filter((one) => one !== "")) {
				const read = readEntry(entry, defaultEvidence);
				if (typeof read === "string") wrong.push(read);
				else if (rules.some(({ severity }) => severity === read.severity)) wrong.push(`names ${quote(read.severity)} twice. Name each severity once.`);
				else rules.push(read);
			}
			if (rules.length === 0 && wrong.length === 0) wrong.push(`is ${quote(given)}. ${FORM}`);
			const against = contradiction(rules);
			if (against !== void 0) {
				const [worse, milder] = [against.worse, against.milder].map(({ severity, evidence }) => quote(`${severity}:${evidence}`));
				wrong.push(`asks for more proof of the worse severity: ${worse}, but ${milder}. Ask for as much or less. An entry without evidence has that of \`fail-on-evidence\`, \`${defaultEvidence}\`.`);
			}
			for (const sentence of wrong) fault(sentence);
			return wrong.length === 0 ? {
				rules: normalRules(rules),
				defaultEvidence
			} : OTHERWISE;
		}
		function readEntry(entry, defaultEvidence) {
			const [name, ...levels] = entry.split(":").map((one) => one.trim());
			const severity = finding_SEVERITY_LEVELS.find((level) => level === name);
			if (severity === void 0) return name === "none" ? "has `none` in a list. Use `none` alone." : `is ${quote(entry)}. ${FORM}`;
			if (levels.length === 0) return {
				severity,
				evidence: defaultEvidence
			};
			const evidence = EVIDENCE_LEVELS.find((level) => level === levels[0]);
			if (evidence === void 0 || levels.length > 1) return `contains ${quote(entry)}. After the colon, use one of: ${EVIDENCE_LEVELS.join(", ")}.`;
			return {
				severity,
				evidence
			};
		}
		function readPaths(given, fault) {
			if (given === void 0) return [];
			const { patterns, slips } = readPathPatterns(given);
			for (const { pattern, sentence } of slips) fault(pattern === void 0 ? `is too long. ${sentence}` : `contains ${quote(pattern)}. ${sentence}`);
			return patterns;
		}
		function readPathsExempt(given, failOn, fault) {
			const patterns = readPaths(given, fault);
			if (failOn.rules.length === 0 || !matchesEverything(patterns)) return patterns;
			fault("matches files of any name in any folder, so that no finding could block. Name folders or file types. To only report findings, set `fail-on` to `none`.");
			return [];
		}
		function readPathsUnscanned(given, fault) {
			const patterns = readPaths(given, fault);
			if (!matchesEverything(patterns)) return patterns;
			fault("matches files of any name in any folder, so that no change would be scanned. Name folders or file types that need no scan.");
			return [];
		}
		const LONGEST_CHECK_NAME = 100;
		const LONGEST_NOTE = 500;
		const SHORTEST_SECRET = 8;
		function readConnection(reader) {
			const { raw, text, faultOf } = reader;
			const given = {
				api: raw("api-token"),
				github: raw("github-token")
			};
			const apiToken = usableToken(reader, "api-token", given.api);
			const githubToken = usableToken(reader, "github-token", given.github);
			if (given.github === "") faultOf("github-token")("is empty. Remove it to use the workflow's own token.");
			const givenUrl = text("base-url");
			const baseUrl = givenUrl === void 0 ? "" : readBaseUrl(givenUrl, faultOf("base-url"));
			const isOdd = apiToken !== "" && !/_proj_[^_]+_./.test(apiToken);
			return {
				connection: {
					baseUrl,
					apiToken,
					projectId: text("project-id"),
					githubToken
				},
				withoutToken: given.api === "",
				missing: givenUrl === void 0 ? [`\`base-url\` is empty. Use ${BASE_URL_FORM}.`] : [],
				warnings: isOdd ? [ODD_TOKEN] : []
			};
		}
		const ODD_TOKEN = "`api-token` does not look like a project API token (`\u2026_proj_<keyId>_<secret>`). Check the secret.";
		function readCheckName({ withDefault, faultOf }) {
			return oneLine(withDefault("check-name"), LONGEST_CHECK_NAME, faultOf("check-name"));
		}
		function oneLine(given, longest, fault) {
			if (given.length > longest || /\p{Cc}/u.test(given)) fault(`is too long or not one line. Use one line of at most ${longest} characters.`);
			return given.slice(0, longest);
		}
		function usableToken({ mask, faultOf }, name, token) {
			for (const secret of [token, secretPart(token)]) mask(secret);
			if (!/[^!-~]/.test(token)) return token;
			faultOf(name)("contains a space, a line break or another character that no token has. Check how it was stored.");
			return "";
		}
		function secretPart(token) {
			const part = token.slice(token.lastIndexOf("_") + 1);
			return part !== token && part.length >= SHORTEST_SECRET ? part : "";
		}
		const LONGEST_TIMEOUT_MINUTES = 7200;
		function readInputs(workspace, source) {
			const reader = createInputReader(source);
			const { connection, ...about } = readConnection(reader);
			const inputs = {
				connection,
				setup: readSetup(reader),
				policy: readPolicy(reader),
				delivery: readDelivery(reader, workspace),
				publish: {
					when: reader.word("publish", [
						"never",
						"on-findings",
						"always"
					]),
					gated: reader.word("publish-password", ["true", "false"]) === "true"
				},
				reuseScan: reader.word("reuse-scan", ["true", "false"]) === "true",
				timeoutMinutes: reader.wholeNumber("timeout-minutes", LONGEST_TIMEOUT_MINUTES)
			};
			return {
				...about,
				inputs,
				faults: reader.faults
			};
		}
		function readSetup({ text, word, wholeNumber, faultOf }) {
			const baseSha = text("base-commit")?.toLowerCase();
			if (baseSha !== void 0 && !target_isCommitId(baseSha)) faultOf("base-commit")(`is ${quote(baseSha)}. Use a full commit SHA of 40 or 64 hexadecimal digits.`);
			return {
				repositoryId: text("repository-id"),
				preset: text("preset"),
				creditBudget: wholeNumber("credit-budget", Number.MAX_SAFE_INTEGER),
				baseSha,
				launchParameters: readObject(text("launch-parameters"), faultOf("launch-parameters")),
				guidanceFile: readRepositoryPath(text("guidance-file"), faultOf("guidance-file")),
				pathsUnscanned: readPathsUnscanned(text("paths-unscanned"), faultOf("paths-unscanned")),
				scanForks: word("scan-forks", [
					"trusted",
					"all",
					"none"
				])
			};
		}
		function readPolicy({ text, withDefault, word, faultOf }) {
			const evidence = word("fail-on-evidence", EVIDENCE_LEVELS);
			const failOn = readFailOn(withDefault("fail-on"), evidence, faultOf("fail-on"));
			return {
				severityThreshold: word("severity-threshold", finding_SEVERITY_LEVELS),
				failOn,
				allowUnscanned: readReasons(withDefault("allow-unscanned"), faultOf("allow-unscanned")),
				pathsExempt: readPathsExempt(text("paths-exempt"), failOn, faultOf("paths-exempt"))
			};
		}
		function readDelivery(reader, workspace) {
			const { text, word, faultOf } = reader;
			const file = (name) => {
				const given = text(name);
				if (given === void 0) return void 0;
				if (isInside(workspace, given)) return load_node_path().resolve(workspace, given);
				faultOf(name)(`is ${quote(given)}. Use a path inside the workspace.`);
			};
			let [sarifFile, reportFile] = [file("sarif-file"), file("report-file")];
			if (sarifFile !== void 0 && sarifFile === reportFile) {
				[sarifFile, reportFile] = [void 0, void 0];
				faultOf("sarif-file")("and `report-file` are the same file. Use two different paths.");
			}
			return {
				checkName: readCheckName(reader),
				comment: word("comment", [
					"always",
					"on-findings",
					"never"
				]),
				commentNote: oneLine(text("comment-note") ?? "", LONGEST_NOTE, faultOf("comment-note")),
				annotations: word("annotations", ["auto", "off"]),
				sarifFile,
				reportFile
			};
		}
		const COMMAND_AT_START = /^([^\S\n]*):(?=:)/gm;
		const OLD_COMMAND = /##(?=\[)/g;
		function logLine(text) {
			return trusted(escapeCommands(visibleLine(text)));
		}
		function logLines(text) {
			return trusted(escapeCommands(visibleLines(text)));
		}
		function escapeCommands(lines) {
			return lines.replace(COMMAND_AT_START, (_, space) => space + codePointShown(":")).replace(OLD_COMMAND, `#${codePointShown("#")}`);
		}
		function trusted(text) {
			return text;
		}
		const CHUNK = 65536;
		function* inChunks(pieces) {
			let chunk = "";
			for (const piece of pieces) {
				chunk += piece;
				if (chunk.length < CHUNK) continue;
				yield chunk;
				chunk = "";
			}
			if (chunk !== "") yield chunk;
		}
		const ANNOTATIONS_PER_LEVEL = 10;
		const KEPT_FOR_VERDICT = {
			failure: 1,
			warning: 0,
			notice: 0
		};
		function createRunnerLog(isDebug = core_isDebug()) {
			const used = {
				failure: 0,
				warning: 0,
				notice: 0
			};
			return {
				info: (text) => info(logLine(text)),
				warning: (text) => {
					used.warning += 1;
					warning(logLine(text));
				},
				error: (text, more = []) => {
					used.failure += 1;
					error([text, ...more].map(logLine).join("\n"));
				},
				group: (title, lines) => {
					startGroup(logLine(title));
					const ended = lines.map((line) => `${logLine(line)}\n`);
					for (const chunk of inChunks(ended)) info(chunk.slice(0, -1));
					endGroup();
				},
				annotate: ({ path, startLine, endLine, level, title, message }) => {
					if (used[level] >= ANNOTATIONS_PER_LEVEL - KEPT_FOR_VERDICT[level]) return false;
					used[level] += 1;
					const place = {
						file: path,
						startLine,
						endLine,
						title: logLine(title)
					};
					const text = logLines(message).replaceAll("\n", "\n  ");
					if (level === "failure") error(text, place);
					else if (level === "warning") warning(text, place);
					else notice(text, place);
					return true;
				},
				mask: (secret) => {
					if (secret !== "") core_setSecret(secret);
				},
				debug: isDebug ? (text) => core_debug(logLine(text)) : void 0
			};
		}
		function createWarnings(log) {
			const kept = new Set();
			return {
				warn: (...sentences) => {
					for (const sentence of sentences) {
						if (!kept.has(sentence)) log.warning(sentence);
						kept.add(sentence);
					}
				},
				list: () => [...kept]
			};
		}
		var state_names = __nccwpck_require__(296);
		const Pending = strictObject({
			projectId: string(),
			headSha: string(),
			pullRequest: optional(number()),
			before: optional(object({
				ids: array(string()),
				complete: dist_boolean(),
				readAt: optional(number())
			})),
			subject: optional(pipe(object({
				repositoryId: string(),
				presetRef: string(),
				baseSha: optional(string()),
				headSha: string(),
				creditBudget: optional(number()),
				areas: array(string()),
				guidance: optional(string())
			}), transform((subject) => ({
				...subject,
				baseSha: subject.baseSha
			}))))
		});
		const Running = strictObject({
			projectId: string(),
			scanId: string(),
			launch: optional(Pending)
		});
		const OpenCheckRun = strictObject({
			headSha: string(),
			id: optional(number()),
			scanId: optional(string()),
			verdict: optional(object({
				conclusion: picklist([
					"success",
					"neutral",
					"failure"
				]),
				title: string()
			}))
		});
		const LONGEST_STATE = 3e4;
		function createRunState(store = {
			saveState,
			getState
		}) {
			return {
				saveScan(scan) {
					const text = JSON.stringify(scan);
					const kept = text.length <= LONGEST_STATE ? text : JSON.stringify(withoutDetails(scan));
					store.saveState(state_names.p.scan, kept);
				},
				clearScan: () => store.saveState(state_names.p.scan, ""),
				saveCheckRun: (checkRun) => store.saveState(state_names.p.checkRun, JSON.stringify(checkRun)),
				clearCheckRun: () => store.saveState(state_names.p.checkRun, ""),
				saved() {
					const scan = state_parse(store.getState(state_names.p.scan), union([Running, Pending]));
					const checkRun = state_parse(store.getState(state_names.p.checkRun), OpenCheckRun);
					if (scan === void 0 && checkRun === void 0) return void 0;
					return {
						...scan !== void 0 && scan !== "unreadable" ? { scan } : {},
						...checkRun !== void 0 && checkRun !== "unreadable" ? { checkRun } : {},
						unreadable: scan === "unreadable" || checkRun === "unreadable"
					};
				}
			};
		}
		function withoutDetails(scan) {
			if (!("scanId" in scan)) return {
				projectId: scan.projectId,
				headSha: scan.headSha
			};
			const { launch, ...running } = scan;
			return launch === void 0 ? running : {
				...running,
				launch: {
					projectId: launch.projectId,
					headSha: launch.headSha
				}
			};
		}
		function state_parse(text, schema) {
			if (text === "") return void 0;
			try {
				const parsed = safeParse(schema, JSON.parse(text));
				return parsed.success ? parsed.output : "unreadable";
			} catch {
				return "unreadable";
			}
		}
		const TERMINAL = new Set([
			"COMPLETED",
			"FAILED",
			"CANCELLED"
		]);
		function scan_isTerminal(status) {
			return TERMINAL.has(status);
		}
		const UNKNOWN_AREA = "";
		function matchCommit(shown, expected) {
			if (shown === void 0) return "cannot-tell";
			const id = shown.toLowerCase();
			if (id === expected) return "same";
			return expected.startsWith(id) ? "cannot-tell" : "different";
		}
		function matchBase(shown, expected) {
			if (expected !== void 0) return matchCommit(shown ?? void 0, expected);
			return shown == null ? "same" : "different";
		}
		function matchLaunch(scan, subject) {
			const { presetRef, creditBudget } = subject;
			const commits = [matchBase(scan.baseSha, subject.baseSha), matchCommit(scan.headSha, subject.headSha)];
			if (commits.includes("different") || isOther(scan.repositoryId, subject.repositoryId) || isOther(scan.presetRef, presetRef) || creditBudget !== void 0 && budgetsOf(scan).some((shown) => isOther(shown, creditBudget)) || differsInAreas(scan.areas, subject.areas) || differsInGuidance(scan.guidance, subject.guidance)) return "different";
			return commits.includes("cannot-tell") ? "cannot-tell" : "same";
		}
		function isOther(shown, expected) {
			return shown !== void 0 && shown !== expected;
		}
		function budgetsOf({ creditBudget, progress }) {
			return [creditBudget, progress?.reservedCredits || void 0];
		}
		function differsInAreas(shown, expected) {
			if (shown === void 0 || shown.includes(UNKNOWN_AREA) && expected.length > 0) return false;
			return !(expected.every((area) => shown.includes(area)) && shown.every((area) => expected.includes(area)));
		}
		const EMPTY_TEXT = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
		function differsInGuidance(shown, expected) {
			switch (shown?.from) {
				case void 0: return false;
				case "nowhere": return expected !== void 0 && expected !== EMPTY_TEXT;
				case "repository": return expected !== void 0;
				case "launch": return expected === void 0;
				case "unknown": return expected !== void 0 && shown.hash !== expected;
			}
		}
		function isNotFound(error) {
			return error.kind === "refused" && error.status === 404;
		}
		const CHECK_STATUS = "Check the service's status page, then re-run this job. If it fails again, check `base-url`.";
		const INVALID_ANSWERS = {
			redirect: {
				cause: "the address redirects, and redirects are not followed",
				nextStep: "Set `base-url` to the final address of the service and push. A proxy or a login page can also cause a redirect."
			},
			oversize: {
				cause: "the response is too large",
				nextStep: CHECK_STATUS
			},
			"not-json": {
				cause: "the response is not JSON",
				nextStep: "Check that `base-url` ends in `/api/v1`. A proxy, a login page or a maintenance page may have answered instead of the service."
			},
			"wrong-shape": {
				cause: "the response does not match version 1 of the service's API",
				nextStep: "Check `base-url`. If it is correct, please open an issue in the Scangate repository."
			},
			"shifting-list": {
				cause: "the list kept changing while Scangate read it",
				nextStep: "Re-run this job. If it fails again, contact the service's support."
			}
		};
		const UNREACHABLE = {
			dns: {
				cause: "the host name could not be resolved",
				nextStep: "Check the spelling of `base-url`, and that the runner can resolve its host name."
			},
			refused: {
				cause: "the connection was refused",
				nextStep: "Check `base-url`, and that a firewall or proxy lets the runner connect."
			},
			"connect-timeout": {
				cause: "the connection timed out",
				nextStep: "Check that a firewall or proxy lets the runner connect to `base-url` (`HTTPS_PROXY`, `NO_PROXY`)."
			},
			timeout: {
				cause: "the request timed out",
				nextStep: CHECK_STATUS
			},
			reset: {
				cause: "the connection was reset",
				nextStep: CHECK_STATUS
			},
			certificate: {
				cause: "the TLS certificate could not be verified",
				nextStep: "If the service or a proxy uses a private certificate authority, set `NODE_EXTRA_CA_CERTS` to its file. Otherwise check `base-url`."
			},
			proxy: {
				cause: "the proxy could not connect",
				nextStep: "Check `HTTPS_PROXY` and `NO_PROXY` of the runner, and that the proxy allows `base-url`."
			},
			"proxy-credentials": {
				cause: "the proxy requires a user name and a password",
				nextStep: "Set `HTTPS_PROXY` of the runner to `http://name:password@host:port`, percent-encoded, or add the host of `base-url` to `NO_PROXY`."
			},
			other: {
				cause: "the connection failed",
				nextStep: CHECK_STATUS
			}
		};
		const LONGEST_CODE = 60;
		const SETTINGS = "the project's integration settings";
		const SCOPE_OF = new Map([
			["launch the scan", "scans:launch"],
			["cancel the scan", "scans:launch"],
			["publish the scan", "publish"]
		]);
		const SUPPORT = "Re-run this job later. If it fails again, contact the service's support.";
		const ROWS = new Map(Object.entries({
			unauthorized: (error) => ({
				reason: "configuration",
				cause: `The service rejected \`api-token\`: it is invalid, expired or revoked, or its project is archived${said(error)}.`,
				nextStep: "Ask a project admin of the service for a new token, update the secret, then re-run this job. Also check that `base-url` is the service that issued the token."
			}),
			forbidden: (error) => missingScope(SCOPE_OF.get(error.operation) ?? "read", said(error)),
			not_found: (error, { scanShown }) => scanShown === true ? scanGone(error) : {
				reason: "configuration",
				cause: `Could not ${error.operation}: the service did not find what the request names${said(error)}.`,
				nextStep: error.operation === "read a finding" ? SUPPORT : "Check `project-id` and `repository-id`. If they are correct, ask a project admin of the service whether `api-token` can access them."
			},
			insufficient_credits: (error, { creditBudget }) => ({
				reason: "insufficient-credits",
				cause: `The organization's credits in the scanning service do not cover this scan${said(error, budgetOf(creditBudget))}.`,
				nextStep: `Ask an organization admin of the service to add credits, then re-run this job.${creditBudget === void 0 ? "" : " Or lower `credit-budget` in the workflow, down to the preset's minimum, and push."}`
			}),
			rate_limited: (error, context) => rateLimited(error, context),
			diff_base_required: (error) => ({
				reason: "configuration",
				cause: `The preset needs a base commit, and the service received none${said(error)}.`,
				nextStep: "Check that `launch-parameters` does not remove or rename `baseCommit`. Or set `base-commit`. On `schedule` and `workflow_dispatch`, set `preset` to one that is not a diff preset. Then push."
			}),
			diff_base_not_allowed: (error) => ({
				reason: "configuration",
				cause: `The preset does not accept a base commit, so it would scan more than this change${said(error)}.`,
				nextStep: "Set `preset` to a diff preset in the workflow and push."
			}),
			diff_base_invalid: (error) => ({
				reason: "configuration",
				cause: `The service does not know the base commit${said(error)}.`,
				nextStep: "If `base-commit` is set, check that it is a commit of this repository. Check that `repository-id` is this repository in the service."
			}),
			diff_empty: (error) => ({
				reason: "configuration",
				cause: `The service found no change between the base and the scanned commit${said(error)}.`,
				nextStep: "Check which commit the service scans. If it does not read the field `commit`, set the field that it reads in `launch-parameters` and push."
			}),
			repository_initializing: (error) => ({
				reason: "initializing",
				cause: `The scanning service is still analyzing this repository for the first time${said(error)}.`,
				nextStep: STILL_INITIALIZING
			}),
			conflict: (error) => ({
				reason: "service-error",
				cause: `Could not ${error.operation}: another request changed the same data at the same time${said(error)}.`,
				nextStep: "Re-run this job."
			}),
			bad_request: (error) => ({
				reason: "configuration",
				cause: `Could not ${error.operation}: the service rejected the request as invalid${said(error)}.`,
				nextStep: error.operation === "launch the scan" ? "Check `preset`, `credit-budget` and `base-commit`. If the service uses another name for a field, set that name in `launch-parameters`. Then push." : SUPPORT
			}),
			internal: (error) => ({
				reason: "service-error",
				cause: `Could not ${error.operation}: the service returned an internal error${said(error)}.`,
				nextStep: SUPPORT
			})
		}));
		function scanGone(error) {
			return {
				reason: "service-error",
				cause: `The service no longer finds the scan that it showed before${said(error)}.`,
				nextStep: "Re-run this job. If it fails again, ask a project admin of the service whether `api-token` can still access this repository."
			};
		}
		function explain_error_explainApiError(error, context = {}) {
			switch (error.kind) {
				case "refused": return (ROWS.get(error.code) ?? unknownCode)(error, context);
				case "invalid": return error.status === 429 ? rateLimited(error, context) : noAnswer(error, INVALID_ANSWERS[error.problem], `HTTP ${error.status}, ${error.detail}`);
				case "unreachable": return noAnswer(error, UNREACHABLE[error.cause], error.detail);
				case "stopped": return explainStop(error.by, `it could ${error.operation}`);
			}
		}
		function noAnswer({ operation }, { cause, nextStep }, detail) {
			return {
				reason: "service-error",
				cause: `Could not ${operation}: ${cause} (${detail}).`,
				nextStep
			};
		}
		const STILL_INITIALIZING = "Re-run this job when the repository is ready in the service. To wait longer, raise the input `timeout-minutes` in the workflow and push.";
		function missingScope(scope, answer = "") {
			return {
				reason: "configuration",
				cause: `The API token is missing the \`${scope}\` scope${answer}.`,
				nextStep: `Ask a project admin of the service for a token with the \`${scope}\` scope, update the secret, then re-run this job.`
			};
		}
		function rateLimited(error, context) {
			const wait = error.retryAfterSeconds;
			const more = error.outlastsRun === true ? ", longer than this job may last" : "";
			const advice = wait === void 0 ? "" : ` The service asks to wait ${duration(wait)}${more}.`;
			const launch = error.operation === "launch the scan";
			return {
				reason: "rate-limited",
				cause: `Could not ${error.operation}: the API token reached its ${launch ? "rate limit or its spend limit" : "rate limit"}${error.kind === "refused" ? said(error) : ""}.${advice}${launch ? spendLimitOf(context) : ""}`,
				nextStep: `Re-run this job later.${launch ? ` If the spend limit is reached, ask a project admin of the service to raise it in ${SETTINGS}.` : ""}`
			};
		}
		function unknownCode(error) {
			return {
				reason: "service-error",
				cause: `Could not ${error.operation}: the service returned HTTP ${error.status} with an unknown error code${said(error)}.`,
				nextStep: SUPPORT
			};
		}
		function spendLimitOf({ token, creditBudget }) {
			if (token === void 0) return "";
			if (token.spendLimit === void 0) return " The service shows no spend limit for this token.";
			return ` The token's spend limit is ${token.spendLimit} credits per billing period (${budgetOf(creditBudget)}).`;
		}
		function said({ code, message }, ...added) {
			const line = foreignLine(message);
			const name = foreignLine(code, LONGEST_CODE).replaceAll("`", "'");
			return ` (${[line === "" ? `\`${name}\`` : `\`${name}\`: "${line}"`, ...added].join("; ")})`;
		}
		function budgetOf(credits) {
			return credits === void 0 ? "budget: the service's default" : `budget: ${credits} credits`;
		}
		function duration(seconds) {
			if (seconds < 120) return `${Math.ceil(seconds)} s`;
			if (seconds < 7200) return `${Math.ceil(seconds / 60)} minutes`;
			return seconds < 172800 ? `${Math.ceil(seconds / 3600)} hours` : `${Math.ceil(seconds / 86400)} days`;
		}
		const CANCEL_MS = 6e4;
		const AGAIN_MS = [
			2e3,
			4e3,
			8e3
		];
		async function cancelScan(step, projectId, scanId) {
			const { clock, signal } = step;
			const start = clock.now();
			for (let tries = 0;; tries += 1) {
				const made = await cancelOnce(step, projectId, scanId);
				const isOver = clock.now() - start >= CANCEL_MS || tries >= AGAIN_MS.length && isUnknown(made);
				if (made.kind !== "failed" || isOver) return made;
				await clock.sleep(AGAIN_MS[tries] ?? AGAIN_MS[2], signal);
				if (signal.aborted) return made;
			}
		}
		function isUnknown(cancellation) {
			return cancellation.kind === "failed" && cancellation.unknown;
		}
		async function cancelOnce({ api, signal }, projectId, scanId) {
			const answer = await api.cancel(projectId, scanId, { signal });
			if (answer.ok) return { kind: "cancelled" };
			const read = await api.readScan(projectId, scanId, { signal });
			if (read.ok && scan_isTerminal(read.value.status)) {
				const { status } = read.value;
				return status === "CANCELLED" && !(answer.error.kind === "refused") ? { kind: "cancelled" } : {
					kind: "already-terminal",
					status
				};
			}
			if (!read.ok && answer.error.kind === "refused" && answer.error.status === 400) return {
				kind: "already-terminal",
				status: void 0
			};
			const unknown = isNotFound(answer.error) && !read.ok && isNotFound(read.error);
			return {
				kind: "failed",
				cause: explain_error_explainApiError(answer.error).cause,
				unknown
			};
		}
		function cancel_describeCancellation(scanId, cancellation) {
			switch (cancellation.kind) {
				case "cancelled": return `Cancelled scan \`${scanId}\`. The service releases its reserved credits, but charges completed work.`;
				case "already-terminal": return `Scan \`${scanId}\` had already ended${cancellation.status === void 0 ? "" : ` as ${cancellation.status}`}.`;
				case "failed": return `Could not cancel scan \`${scanId}\`. It may still be running and using credits: cancel it in the service. ${cancellation.cause}`;
			}
		}
		".".repeat(8);
		function comment_state_splitState(state = "") {
			const [mark = "", badness = "", sealed = ""] = state.split(";");
			return {
				mark,
				badness: /^\d$/.test(badness) ? Number(badness) : 0,
				sealed
			};
		}
		const STATE = /^<!-- scangate-state ([!-=?-~]{1,20000}) -->$/;
		function readState(comment) {
			const [, line = ""] = comment.split(/\r?\n/, 2);
			return STATE.exec(line)?.[1];
		}
		const Comments = array(pipe(object({
			id: number(),
			html_url: optional(WebAddress),
			body: nullish(string()),
			user: nullish(object({
				login: string(),
				type: optional(string())
			}))
		}), transform(({ id, html_url: url, body, user }) => {
			return {
				id,
				url,
				body: body ?? "",
				author: user == null ? void 0 : {
					login: user.login,
					type: user.type
				}
			};
		})));
		const MOST_COMMENTS = 5e3;
		async function comment_list_readComments(github, pullRequest, { comments }) {
			return comments === void 0 ? listComments(github, pullRequest) : result_ok(comments);
		}
		function listComments(github, pullRequest) {
			return octokit_readPages(github, {
				operation: "read the comments of the pull request",
				permission: "pull-requests: write",
				route: "GET /repos/{owner}/{repo}/issues/{issue_number}/comments",
				parameters: { issue_number: pullRequest },
				answer: Comments
			}, MOST_COMMENTS);
		}
		const PREVIOUS_CHECKS = `previous: object(oid: $previous) @include(if: $withPrevious) {
      ... on Commit {
        oid
        checkSuites(first: 50) {
          pageInfo { hasNextPage }
          nodes {
            checkRuns(first: 100, filterBy: { checkType: ALL }) {
              pageInfo { hasNextPage }
              nodes { externalId }
            }
          }
        }
      }
    }`;
		const PageInfo = object({ hasNextPage: dist_boolean() });
		const PreviousChecks = pipe(object({
			oid: schemas_CommitId,
			checkSuites: object({
				pageInfo: PageInfo,
				nodes: array(object({ checkRuns: object({
					pageInfo: PageInfo,
					nodes: array(object({ externalId: nullish(string(), "") }))
				}) }))
			})
		}), transform(({ oid: headSha, checkSuites }) => {
			const runs = checkSuites.nodes.map(({ checkRuns }) => checkRuns);
			if ([checkSuites, ...runs].some(({ pageInfo }) => pageInfo.hasNextPage)) return void 0;
			return {
				headSha,
				externalIds: runs.flatMap(({ nodes }) => nodes.map(({ externalId }) => externalId))
			};
		}));
		const AboutPrevious = object({ path: looseTuple([literal("repository"), literal("previous")]) });
		function otherErrors(errors) {
			if (!Array.isArray(errors)) return errors;
			const others = errors.filter((error) => !is(AboutPrevious, error));
			return others.length === 0 && errors.length > 0 ? void 0 : others;
		}
		function firstComments(first) {
			return `comments(first: ${first}) {
        pageInfo { hasNextPage }
        nodes { fullDatabaseId url body author { __typename login } }
      }`;
		}
		const pull_request_state_Comments = pipe(object({
			pageInfo: PageInfo,
			nodes: array(pipe(object({
				fullDatabaseId: pipe(string(), regex(/^[1-9]\d{0,15}$/), transform(Number), safeInteger()),
				url: optional(WebAddress),
				body: string(),
				author: pipe(nullable(object({
					__typename: string(),
					login: string()
				})), transform((author) => {
					if (author === null) return void 0;
					const { __typename: type, login } = author;
					return {
						type,
						login: type === "Bot" && !login.endsWith("[bot]") ? `${login}[bot]` : login
					};
				}))
			}), transform(({ fullDatabaseId: id, url, body, author }) => ({
				id,
				url,
				body,
				author
			}))))
		}), transform(({ pageInfo, nodes }) => pageInfo.hasNextPage ? void 0 : nodes));
		const WORKFLOW_AUTHOR = "github-actions[bot]";
		function queryOf(comments) {
			return `query($owner: String!, $repo: String!, $number: Int!, $previous: GitObjectID, $withPrevious: Boolean!) {
  viewer { login }
  repository(owner: $owner, name: $repo) {
    isPrivate
    visibility
    ${PREVIOUS_CHECKS}
    pullRequest(number: $number) {
      state
      updatedAt
      headRefOid
      baseRefName
      baseRef { target { oid } }
      commits(last: 1) { nodes { commit { oid tree { oid } } } }
      ${firstComments(comments)}
    }
  }
}`;
		}
		const Visibility = object({
			isPrivate: fallback(optional(dist_boolean()), void 0),
			visibility: fallback(optional(string()), void 0)
		});
		function visibilityOf({ isPrivate, visibility }) {
			const inPublic = visibility === void 0 ? isPrivate === false : visibility.toLowerCase() === "public";
			return inPublic ? { inPublic } : {};
		}
		const pull_request_state_BranchName = pipe(string(), minLength(1));
		const PullRequestNode = object({
			state: picklist([
				"OPEN",
				"CLOSED",
				"MERGED"
			]),
			updatedAt: Timestamp,
			headRefOid: schemas_CommitId,
			baseRefName: pull_request_state_BranchName,
			baseRef: nullable(object({ target: nullable(object({ oid: schemas_CommitId })) })),
			commits: fallback(optional(object({ nodes: array(object({ commit: object({
				oid: schemas_CommitId,
				tree: object({ oid: schemas_CommitId })
			}) })) })), void 0),
			comments: fallback(optional(pull_request_state_Comments), void 0)
		});
		const GraphqlAnswer = object({
			data: nullish(object({
				viewer: nullish(object({ login: string() })),
				repository: nullish(object({
					...Visibility.entries,
					pullRequest: nullish(PullRequestNode),
					previous: fallback(nullish(PreviousChecks), void 0)
				}))
			})),
			errors: optional(unknown())
		});
		const Forbidden = object({
			type: literal("FORBIDDEN"),
			message: optional(pipe(string(), check((message) => !namesRateLimit(message))))
		});
		const PullRequest = pipe(object({
			state: picklist(["open", "closed"]),
			updated_at: Timestamp,
			head: object({ sha: schemas_CommitId }),
			base: object({
				ref: pull_request_state_BranchName,
				repo: fallback(object({
					private: optional(dist_boolean()),
					visibility: optional(string())
				}), {})
			})
		}), transform(({ state, updated_at: updatedAt, head, base }) => {
			return {
				isOpen: state === "open",
				...visibilityOf({
					isPrivate: base.repo.private,
					visibility: base.repo.visibility
				}),
				updatedAt,
				headSha: head.sha,
				headTree: void 0,
				baseName: base.ref,
				baseTip: void 0,
				comments: void 0
			};
		}));
		async function pull_request_state_readPullRequestState(github, pullRequest, previousHead) {
			const ask = (comments, previous) => octokit_read(github, {
				operation: "read the pull request",
				permission: "pull-requests: read",
				route: `POST ${github.graphqlUrl}`,
				parameters: {
					query: queryOf(comments),
					variables: {
						owner: github.owner,
						repo: github.repo,
						number: pullRequest,
						previous: previous ?? null,
						withPrevious: previous !== void 0
					}
				},
				answer: GraphqlAnswer,
				repeatable: true
			});
			const whole = await ask(100, previousHead);
			const graphql = !whole.ok && whole.error.kind === "too-large" ? await ask(1, void 0) : whole;
			if (!graphql.ok && graphql.error.kind === "stopped") return graphql;
			const { data, errors: allErrors } = graphql.ok ? graphql.value : {};
			const errors = otherErrors(allErrors);
			const viewer = data?.viewer?.login ?? WORKFLOW_AUTHOR;
			const shown = data?.repository?.pullRequest;
			const previous = data?.repository?.previous;
			if (shown != null) return result_ok({
				viewer,
				...visibilityOf(data?.repository ?? {}),
				...stateOf(shown, errors === void 0),
				previousChecks: previous ?? void 0
			});
			const rest = await readByRest(github, pullRequest);
			if (rest.ok) return result_ok({
				viewer,
				...rest.value
			});
			if (rest.error.kind === "stopped" || rest.error.kind === "forbidden") return rest;
			const refusal = Array.isArray(errors) ? errors.find((error) => is(Forbidden, error)) : void 0;
			if (refusal === void 0) return rest;
			return result_err({
				...rest.error,
				kind: "forbidden",
				message: messageLine(refusal.message ?? "")
			});
		}
		function stateOf(shown, isWhole) {
			const { state, updatedAt, headRefOid: headSha, baseRefName: baseName, baseRef, commits, comments } = shown;
			const newest = commits?.nodes.find(({ commit }) => commit.oid === headSha);
			return {
				isOpen: state === "OPEN",
				updatedAt,
				headSha,
				headTree: newest?.commit.tree.oid,
				baseName,
				baseTip: tipOf(baseRef, isWhole),
				comments: isWhole ? comments : void 0
			};
		}
		function tipOf(baseRef, isWhole) {
			if (baseRef === null) return isWhole ? { kind: "gone" } : void 0;
			return baseRef.target === null ? void 0 : {
				kind: "commit",
				sha: baseRef.target.oid
			};
		}
		function readByRest(github, pullRequest) {
			return octokit_read(github, {
				operation: "read the pull request",
				permission: "pull-requests: read",
				route: "GET /repos/{owner}/{repo}/pulls/{pull_number}",
				parameters: { pull_number: pullRequest },
				answer: PullRequest
			});
		}
		async function inPool(items, width, work) {
			const answers = [];
			const queue = items.entries();
			const worker = async () => {
				for (const [index, item] of queue) answers[index] = await work(item);
			};
			await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker));
			return answers;
		}
		const READ_ATTEMPTS = 4;
		const SEND_ATTEMPTS = 3;
		const SHORTEST_WAIT_MS = 1e3;
		const LARGEST_JITTER_MS = 19e3;
		function retry_classify(error) {
			switch (error.kind) {
				case "stopped": return "stopped";
				case "unreachable":
					if (isLasting(error.cause)) return "definite";
					return error.sent === "no" ? "not-sent" : "ambiguous";
				case "refused":
					if (error.code === "rate_limited") return "rate-limited";
					return ofStatus(error.status);
				case "invalid":
					if (error.problem === "redirect") return "ambiguous";
					if (error.problem === "not-json" || error.problem === "wrong-shape") return ofStatus(error.status);
					return "definite";
			}
		}
		function ofStatus(status) {
			if (status === 429) return "rate-limited";
			return status < 400 || status === 408 || status >= 500 ? "ambiguous" : "definite";
		}
		function waitAdvisedBy(error) {
			return advisedWait(retry_classify(error) === "rate-limited" ? outlastsRun(error) ? "poll" : "rate-limit" : "failure", retryAfterOf(error));
		}
		function outlastsRun(error) {
			return (error.kind === "refused" || error.kind === "invalid") && error.outlastsRun === true;
		}
		function waitAfterFailure(error, failures, random) {
			const jitter = random() * Math.min(LARGEST_JITTER_MS, 2 ** failures * 1e3);
			return waitAdvisedBy(error) ?? SHORTEST_WAIT_MS + jitter;
		}
		function afterFailedCall(error, made, { attempts, onceAccepted, random }) {
			const failure = retry_classify(error);
			const isLimited = failure === "rate-limited" && !outlastsRun(error);
			return {
				again: (failure === "not-sent" || isLimited || failure === "ambiguous" && !onceAccepted) && made < attempts,
				waitMs: waitAfterFailure(error, made, random),
				forAll: isLimited
			};
		}
		function retryAfterOf(error) {
			return error.kind === "refused" || error.kind === "invalid" ? error.retryAfterSeconds : void 0;
		}
		const LONGEST_ID = 256;
		function isUsableId(value) {
			return typeof value === "string" && value !== "" && value !== "." && value !== ".." && value.isWellFormed() && !/\p{Cc}/u.test(value) && (value.length <= LONGEST_ID || [...value].length <= LONGEST_ID);
		}
		function pathSegment(id) {
			if (!isUsableId(id)) throw new Error("an unusable id was about to become part of an address");
			return encodeURIComponent(id);
		}
		function lookup_isRecord(value) {
			return typeof value === "object" && value !== null && !Array.isArray(value);
		}
		function lookup_firstOf(record, candidates, read) {
			for (const candidate of candidates) {
				const value = read(at(record, candidate));
				if (value !== void 0) return value;
			}
		}
		const MEMBERS = new Map();
		function membersOf(path) {
			const members = MEMBERS.get(path) ?? path.split(".");
			MEMBERS.set(path, members);
			return members;
		}
		function at(record, path) {
			let value = record;
			for (const member of membersOf(path)) {
				if (typeof value !== "object" || value === null || !Object.hasOwn(value, member)) return void 0;
				value = Reflect.get(value, member);
			}
			return value;
		}
		const lookup_text = (value) => typeof value === "string" && value !== "" ? value : void 0;
		const word = (value) => lookup_text(value)?.toUpperCase();
		const commitId = (value) => {
			const id = lookup_text(value);
			return id !== void 0 && /^[0-9a-f]{7,64}$/i.test(id) ? id.toLowerCase() : void 0;
		};
		const cweNumber = (value) => {
			const digits = /^(?:CWE[- ]?)?([1-9]\d{0,4})(?![\w.])/i.exec(typeof value === "number" ? String(value) : lookup_text(value) ?? "")?.[1];
			return digits === void 0 ? void 0 : Number(digits);
		};
		function lookup_whole(least) {
			return (value) => typeof value === "number" && Number.isSafeInteger(value) && value >= least ? value : void 0;
		}
		const share = (value) => {
			if (typeof value !== "number" || !(value >= 0 && value <= 100)) return void 0;
			return value <= 1 ? value : value / 100;
		};
		const ids = (value) => Array.isArray(value) ? value.flatMap((item) => lookup_text(item) ?? lookup_firstOf(item, ["id"], lookup_text) ?? []) : void 0;
		function decode(schema, json, place = "") {
			const result = safeParse(schema, json, { abortEarly: true });
			if (result.success) return result_ok(result.output);
			const [issue] = result.issues;
			const member = [place, getDotPath(issue)].filter(Boolean).join(".") || "body";
			if (issue.received === "undefined") return result_err(`\`${member}\` is missing`);
			return result_err(`\`${member}\` is not ${issue.kind === "schema" && issue.type !== "custom" ? issue.expected : issue.message}`);
		}
		function decodeEntries(json, list, schema, readable) {
			const decoded = decode(object({ [list]: array(unknown()) }), json);
			if (!decoded.ok) return decoded;
			return result_ok((decoded.value[list] ?? []).map((item, index) => {
				const entry = decode(schema, item, `${list}.${index}`);
				if (entry.ok) return entry.value;
				const shown = safeParse(readable, item);
				return {
					fault: entry.error,
					readable: shown.success ? shown.output : {}
				};
			}));
		}
		const NONE = "-";
		const REUSES_NONE = "n";
		const COMMIT = "([\\w-]{27}|[\\w-]{43})";
		const MARK = new RegExp([
			"^v2:([^:]+)",
			`([1-9]\\d{0,9}|${NONE})`,
			COMMIT,
			`(?:${COMMIT}|${NONE})`,
			"([\\w-]{22})",
			`([\\w-]{22}|${NONE})`,
			"(0|[1-9]\\d{0,9})",
			`((?:0|[1-9]\\d{0,8})|${NONE})\\+?:[\\d+-]{1,10}`,
			`(${REUSES_NONE}|${NONE})`,
			"(\\d{1,15})\\.(\\d{1,9})",
			"([\\w-]{43})$"
		].join(":"));
		function scan_mark_readMark(text, seal) {
			const match = MARK.exec(text);
			if (match === null) return void 0;
			const [, encodedId, pullRequest, head, base, key, contentKey, launchedAt, credits, reuse, ...rest] = match;
			const [runId, runAttempt, mac] = rest;
			const scanId = decoded(String(encodedId));
			const [headSha, baseSha] = [scan_mark_expand(String(head)), base && scan_mark_expand(base)];
			if (!isUsableId(scanId) || !target_isCommitId(headSha) || !target_isCommitId(baseSha ?? headSha)) return void 0;
			if (!seal.isMacOf(String(mac), text.slice(0, text.lastIndexOf(":")))) return void 0;
			return {
				scanId,
				pullRequest: pullRequest === NONE ? void 0 : Number(pullRequest),
				headSha,
				baseSha,
				key: String(key),
				contentKey: contentKey === NONE ? void 0 : contentKey,
				launchedAt: Number(launchedAt),
				credits: credits === NONE ? void 0 : Number(credits),
				reusesNone: reuse === REUSES_NONE ? true : void 0,
				runId: Number(runId),
				runAttempt: Number(runAttempt)
			};
		}
		function scan_mark_inLaunchOrder(marks) {
			return marks.toSorted((a, b) => b.launchedAt - a.launchedAt || b.runId - a.runId || b.runAttempt - a.runAttempt || Buffer.compare(Buffer.from(a.scanId), Buffer.from(b.scanId)));
		}
		function scan_mark_expand(text) {
			return Buffer.from(text, "base64url").toString("hex");
		}
		function decoded(text) {
			let id;
			try {
				id = decodeURIComponent(text);
			} catch {}
			return id;
		}
		const MARKS_SHOWN_MS = 5e3;
		async function marksOfCheckRuns({ github, seal, signal }, headSha, checkName) {
			const listed = await listCheckRuns(github.until(signal), headSha, checkName);
			if (!listed.ok) return listed;
			return result_ok(scan_mark_inLaunchOrder(listed.value.flatMap(({ id, name, url, status, externalId }) => {
				return proven(externalId, seal, {
					id,
					name,
					url,
					completed: status === "completed"
				}).filter((mark) => mark.headSha === headSha);
			})));
		}
		function proven(text, seal, checkRun) {
			const mark = scan_mark_readMark(text, seal);
			return mark === void 0 ? [] : [{
				...mark,
				checkRun
			}];
		}
		function idsOf(scans) {
			return scans.flatMap(({ id }) => id ?? []);
		}
		const CLOCKS_DIFFER_MS = 6e4;
		function isNew(before, scanId, createdAt) {
			if (before.ids.includes(scanId)) return false;
			const created = Date.parse(String(createdAt));
			if (!Number.isNaN(created) && before.readAt !== void 0) return created >= before.readAt - CLOCKS_DIFFER_MS;
			return before.complete ? true : void 0;
		}
		function standsAbove({ scans }, scanId, before) {
			const place = scans.findIndex(({ id }) => id === scanId);
			if (place < 0) return void 0;
			const known = new Set(before.ids);
			const isKnown = ({ id }) => known.has(id);
			if (scans.slice(0, place).some((scan) => scan.id === void 0 || isKnown(scan))) return false;
			return scans.some(isKnown) || void 0;
		}
		function noMatch(why, ids = []) {
			return {
				kind: "no-match",
				why,
				ids
			};
		}
		function newCandidates({ scans }, { before, subject }) {
			const known = new Set(before.ids);
			return scans.filter((scan) => !known.has(scan.id) && matchLaunch(scan, subject) !== "different");
		}
		function matchNewScans(list, details, claimed, launch) {
			const { before, subject } = launch;
			const all = newCandidates(list, launch).filter(({ id }) => {
				const detail = details.get(id);
				return detail === void 0 || matchLaunch(detail, subject) !== "different";
			});
			const candidates = all.filter(({ id }) => !claimed.has(id));
			const ids = idsOf(candidates);
			const known = new Set(before.ids);
			const isWhole = list.complete || list.scans.some(({ id }) => known.has(id));
			if (all.length > 0 && candidates.length === 0) return noMatch("claimed", idsOf(all));
			if (candidates.length === 0) return noMatch(isWhole ? "none" : "cannot-tell");
			const proven = candidates.flatMap(({ id }) => {
				const detail = details.get(id);
				return detail && matchLaunch(detail, subject) === "same" ? [detail.id] : [];
			});
			if (proven.length > 1) return noMatch("several", ids);
			const [only] = proven;
			return only !== void 0 && candidates.length === 1 && isWhole ? {
				kind: "found",
				scanId: only
			} : noMatch("cannot-tell", ids);
		}
		const MOST_FAILURES_IN_A_ROW = 20;
		const LONGEST_SILENCE_MS = 6e5;
		const FEWEST_REFUSALS = 5;
		const LONGEST_REFUSAL_MS = 12e4;
		const MOST_AFTER_REFUSAL_MS = 3e4;
		const LEAST_AFTER_RATE_LIMITS_MS = 3e4;
		const LAG_MS = [
			2e3,
			4e3,
			8e3
		];
		function createPatience(clock) {
			let failures = 0;
			let refusals = 0;
			let rateLimits = 0;
			let silentSince;
			let refusedSince;
			return {
				worked() {
					failures = refusals = rateLimits = 0;
					silentSince = refusedSince = void 0;
				},
				limited() {
					silentSince = refusedSince = void 0;
					rateLimits += 1;
					return rateLimits < MOST_FAILURES_IN_A_ROW ? 0 : LEAST_AFTER_RATE_LIMITS_MS;
				},
				failed(isRefusal = false) {
					const now = clock.now();
					failures += 1;
					rateLimits = 0;
					silentSince ??= now;
					if (failures >= MOST_FAILURES_IN_A_ROW || now - silentSince >= LONGEST_SILENCE_MS) return true;
					if (!isRefusal) return false;
					refusals += 1;
					refusedSince ??= now;
					return refusals >= FEWEST_REFUSALS && now - refusedSince >= LONGEST_REFUSAL_MS;
				},
				count: () => failures
			};
		}
		const DEFAULT_MS = 1e4;
		const LARGEST_JITTER = .1;
		function patience_pollInterval(advisedMs, random) {
			return (advisedMs ?? DEFAULT_MS) * (1 + random() * LARGEST_JITTER);
		}
		function waitPatiently(patience, error, random) {
			const failure = retry_classify(error);
			const isRefusal = failure === "definite" && error.kind !== "invalid";
			const wait = waitAdvisedBy(error) ?? patience_pollInterval(void 0, random);
			if (failure === "rate-limited") return Math.max(wait, patience.limited());
			if (failure === "stopped" || patience.failed(isRefusal)) return void 0;
			return (isNotFound(error) ? LAG_MS[patience.count() - 1] : void 0) ?? (isRefusal ? Math.min(wait, MOST_AFTER_REFUSAL_MS) : wait);
		}
		async function untilAnswered({ clock, signal, random }, ask, unknownMs) {
			const patience = createPatience(clock);
			const start = clock.now();
			for (let last;;) {
				const cause = stopCause(signal);
				if (cause !== void 0) return result_err({
					error: last,
					stopped: cause
				});
				const answer = await ask();
				if (answer.ok) return answer;
				const { error } = answer;
				if (error.kind === "stopped") return result_err({
					error: last,
					stopped: error.by
				});
				last = error;
				const wait = waitPatiently(patience, error, random);
				const isGone = isNotFound(error) && unknownMs !== void 0 && clock.now() - start >= unknownMs;
				if (wait === void 0 || isGone) return result_err({
					error,
					stopped: void 0
				});
				await clock.sleep(wait, signal);
			}
		}
		async function awaitScan(step, { projectId, scanId }, unknownMs) {
			const { api, signal } = step;
			const polled = await untilAnswered(step, () => api.scan(projectId, scanId, { signal }), unknownMs);
			return polled.ok ? polled : result_err(leftAfter(polled.error, void 0));
		}
		function left(why, failure, scan) {
			return {
				kind: "left-running",
				why,
				failure,
				scan
			};
		}
		function leftAfter(unanswered, scan) {
			const { error, stopped } = unanswered;
			const failure = explainUnanswered(unanswered, "the scan finished", scan !== void 0);
			if (stopped !== void 0) return left("stopped", failure, scan);
			return left(error !== void 0 && isNotFound(error) ? "not-found" : "no-answer", failure, scan);
		}
		function explainUnanswered({ error, stopped }, before, scanShown) {
			const unread = error && explain_error_explainApiError(error, { scanShown });
			if (stopped === void 0 && unread !== void 0) return unread;
			const stop = explainStop(stopped, before);
			if (stopped !== "timeout" || error === void 0 || unread === void 0) return stop;
			const nextStep = retry_classify(error) === "rate-limited" ? unread.nextStep : stop.nextStep;
			return {
				...stop,
				cause: `${stop.cause} ${unread.cause}`,
				nextStep
			};
		}
		const LIST_LAG_MS = 6e4;
		async function isOfLaunch(step, { projectId, before }, { scanId, createdAt }) {
			if (before === void 0) return result_ok(false);
			const known = isNew(before, scanId, createdAt);
			if (known !== void 0) return result_ok(known);
			const { api, clock, signal } = step;
			for (const start = clock.now();;) {
				const list = await untilAnswered(step, () => api.scans(projectId, { signal }));
				if (!list.ok) return result_err(explainUnanswered(list.error, "it could confirm the scan", true));
				const isAbove = standsAbove(list.value, scanId, before);
				if (isAbove !== void 0 || clock.now() - start >= LIST_LAG_MS) return result_ok(isAbove === true);
				await clock.sleep(MARKS_SHOWN_MS, signal);
			}
		}
		const FIRST_WAIT_MS = 1e3;
		const LONGEST_WAIT_MS = 1e4;
		const MOST_DETAILS = 20;
		const lost_launch_WIDTH = 4;
		async function cancelFound(step, { projectId }, found) {
			if (found.kind === "no-match") return found;
			const made = await cancelScan(step, projectId, found.scanId);
			const isCancelled = made.kind === "already-terminal" && made.status === "CANCELLED";
			return {
				...found,
				cancellation: isCancelled ? { kind: "cancelled" } : made
			};
		}
		async function findLost(search, pending, named) {
			const { clock, random, signal } = search;
			const { before, subject } = pending;
			if (before === void 0 || subject?.baseSha === void 0) return noMatch("not-sought");
			const launch = {
				...pending,
				before,
				subject
			};
			const claimed = new Set();
			let last = noMatch("unreadable");
			let failures = 0;
			for (let wait = FIRST_WAIT_MS;; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
				const first = await look(search, launch, claimed, named);
				let again = first;
				if (first.ok && first.value.kind === "found") {
					if (first.value.scanId === named) return first.value;
					await clock.sleep(MARKS_SHOWN_MS, signal);
					if (signal.aborted) return noMatch("cannot-tell", [first.value.scanId]);
					again = await look(search, launch, claimed, named);
					if (again.ok && again.value.kind === "found" && again.value.scanId === first.value.scanId) return again.value;
				}
				if (again.ok) {
					failures = 0;
					last = again.value.kind === "found" ? noMatch("cannot-tell", [again.value.scanId]) : again.value;
				} else if (again.error.kind !== "stopped") {
					failures += 1;
					last = noMatch("unreadable", last.ids);
				}
				await clock.sleep(again.ok ? wait : waitAfterFailure(again.error, failures, random), signal);
				if (signal.aborted) return last;
			}
		}
		async function look({ api, github, seal, signal }, launch, claimed, named) {
			const { projectId, before } = launch;
			const list = await api.scans(projectId, { signal });
			if (!list.ok) return list;
			if (named !== void 0 && isListedAsNew(list.value, named, before)) return {
				ok: true,
				value: {
					kind: "found",
					scanId: named
				}
			};
			const ids = idsOf(newCandidates(list.value, launch));
			const details = new Map();
			await inPool(ids.slice(0, MOST_DETAILS), lost_launch_WIDTH, async (id) => {
				const read = await api.scan(projectId, id, { signal });
				if (read.ok) details.set(id, read.value.scan);
			});
			if (details.size > 0) {
				const marked = github && await markedScans({
					github,
					seal,
					signal
				}, launch);
				if (marked === void 0) return {
					ok: true,
					value: noMatch("marks-unreadable", ids)
				};
				for (const id of marked) claimed.add(id);
			}
			return {
				ok: true,
				value: matchNewScans(list.value, details, claimed, launch)
			};
		}
		function isListedAsNew(list, scanId, before) {
			const listed = list.scans.find(({ id }) => id === scanId);
			if (listed === void 0) return false;
			return (isNew(before, scanId, listed.createdAt) ?? standsAbove(list, scanId, before)) === true;
		}
		async function markedScans(access, { headSha, pullRequest }) {
			const [ofCheckRuns, comments] = await Promise.all([marksOfCheckRuns(access, headSha), commentsOf(access, pullRequest)]);
			if (!ofCheckRuns.ok || comments === void 0) return void 0;
			const ofComments = comments.flatMap(({ body }) => scan_mark_readMark(comment_state_splitState(readState(body)).mark, access.seal) ?? []);
			return [...ofCheckRuns.value, ...ofComments].map(({ scanId }) => scanId);
		}
		async function commentsOf({ github, signal }, pullRequest) {
			if (pullRequest === void 0) return [];
			const state = await pull_request_state_readPullRequestState(github.until(signal), pullRequest);
			const read = state.ok ? await comment_list_readComments(github.until(signal), pullRequest, state.value) : state;
			return read.ok ? read.value : void 0;
		}
		function notOfLaunch(scanId, pending) {
			return {
				reason: "launch-unknown",
				cause: `The service answered the launch with scan ${asCode([scanId])}, and nothing proves that this launch created it. Scangate neither uses nor cancels it.`,
				nextStep: `${recoveryHint(pending)} Then re-run this job.`
			};
		}
		function describeCandidates({ why, ids }) {
			const scans = ids.length === 0 ? "" : ` (${asCode(ids)})`;
			switch (why) {
				case "none": return "The service lists no new scan of this commit.";
				case "several": return `The service lists several new scans of this commit: ${asCode(ids)}.`;
				case "cannot-tell": return `The service lists a new scan, but Scangate could not match it to this run${scans}.`;
				case "claimed": return `The service lists a new scan of this commit, but another run launched it${scans}.`;
				case "marks-unreadable": return `The service lists a new scan of this commit, but Scangate could not read the check runs that name its run${scans}.`;
				case "unreadable": return `Scangate could not read the scan list of the service${scans}.`;
				case "not-sought": return "Scangate looks only for a diff scan whose launch was saved in full.";
			}
		}
		function recoveryHint({ projectId, headSha, subject }) {
			const credits = subject?.creditBudget === void 0 ? "the reserved credits" : `up to ${subject.creditBudget} credits`;
			return `Check project \`${foreignLine(projectId)}\` in the scanning service for a scan of \`${headSha.slice(0, 12)}\`. If it is running, cancel it: it can use ${credits}.`;
		}
		function asCode(ids) {
			return listed(ids.map((id) => `\`${id}\``));
		}
		function pathsReader({ places }) {
			return (item) => {
				const paths = places.flatMap(([prefix, files]) => {
					if (prefix === "") return filesOf(item, files);
					const isList = prefix.endsWith(FIRST);
					const place = item[prefix.slice(0, isList ? -FIRST.length : -1)];
					if (isAbsent(place)) return [];
					if (!isList) return lookup_isRecord(place) ? filesOf(place, files) : [""];
					if (!Array.isArray(place)) return [""];
					return place.flatMap((entry) => {
						const named = lookup_isRecord(entry) ? filesOf(entry, files) : [];
						return named.length === 0 ? [""] : named;
					});
				});
				return [...new Set(paths)];
			};
		}
		const FIRST = ".0.";
		function filesOf(place, files) {
			return files.flatMap((file) => isAbsent(place[file]) ? [] : lookup_text(place[file]) ?? "");
		}
		function isAbsent(value) {
			return value === void 0 || value === null || value === "";
		}
		function locationReader(names) {
			const candidates = names.places.map(([prefix, files]) => {
				const there = (members) => members.map((member) => prefix + member);
				return {
					files: there(files),
					startLine: there(names.startLine),
					endLine: there(names.endLine)
				};
			});
			return (item) => {
				const places = candidates.map(({ files, startLine, endLine }) => {
					const start = lookup_firstOf(item, startLine, lookup_whole(1));
					const end = start === void 0 ? void 0 : lookup_firstOf(item, endLine, lookup_whole(start));
					return {
						path: lookup_firstOf(item, files, lookup_text),
						startLine: start,
						endLine: end
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
			};
		}
		function hashOfText(value) {
			return (0, load_node_crypto().createHash)("sha256").update(value).digest("hex");
		}
		function publishBody(gated) {
			return { withPassword: gated };
		}
		function triageReader(known) {
			return (value) => {
				const shown = word(value);
				if (shown === void 0) return void 0;
				const confirms = known.confirmed.includes(shown);
				return {
					word: shown,
					confirms: confirms || known.notConfirmed.includes(shown) ? confirms : void 0
				};
			};
		}
		const areaKeys = (value) => Array.isArray(value) ? value.map((item) => lookup_text(item) ?? lookup_firstOf(item, ["key"], lookup_text) ?? UNKNOWN_AREA) : void 0;
		const GUIDANCE_SOURCES = new Map([["repository", { from: "repository" }], ["scan", { from: "launch" }]]);
		const shownGuidance = (value) => {
			const shown = lookup_text(value);
			if (shown === void 0) return void 0;
			return GUIDANCE_SOURCES.get(shown) ?? {
				from: "unknown",
				hash: hashOfText(shown)
			};
		};
		const noGuidance = (value) => value === null || value === "" ? { from: "nowhere" } : void 0;
		function oversizeFinding(position) {
			return {
				id: void 0,
				label: "ZK-????????",
				severity: severityOf(void 0),
				triage: void 0,
				evidence: void 0,
				resolution: void 0,
				title: `Finding ${position} of the scan is too large to read`,
				cwe: void 0,
				location: void 0,
				url: void 0,
				description: `The service's answer with this finding is larger than ${largestBody("service")}. It is number ${position} in the service's list of findings of this scan. Its severity is not known, so it counts as worse than critical. Look at it in the scanning service.`,
				recommendedFix: void 0,
				proofOfConcept: void 0
			};
		}
		const id = custom(isUsableId, "a usable id");
		const wire_record = custom(lookup_isRecord, "an object");
		const count = pipe(number(), safeInteger("a whole number"), minValue(0, "at least 0"));
		const refusal = object({ error: object({
			code: string(),
			message: unknown()
		}) });
		const wire_string = string();
		const shown = (member) => fallback(optional(member), void 0);
		const repository = object({
			id,
			owner: wire_string,
			name: wire_string,
			url: wire_string,
			status: wire_string,
			readiness: wire_string
		});
		const preset = object({
			ref: id,
			name: wire_string,
			minCredits: count,
			modelTier: shown(wire_string),
			description: shown(wire_string)
		});
		const shownRepository = object({
			id: shown(id),
			owner: shown(wire_string),
			name: shown(wire_string)
		});
		const shownPreset = object({
			ref: shown(id),
			name: shown(wire_string)
		});
		const guidance = object({ content: nullable(wire_string) });
		const page = object({
			items: array(wire_record),
			page: count,
			limit: pipe(count, minValue(1, "at least 1")),
			total: count
		});
		const scanDetail = object({ scan: wire_record });
		const findingDetail = object({ finding: wire_record });
		const cancelled = pipe(object({ status: literal("CANCELLED") }), transform(() => void 0));
		const published = object({
			publicId: id,
			accessPassword: nullable(string())
		});
		function decodeRefusal(json) {
			const decoded = decode(refusal, json);
			if (!decoded.ok) return decoded;
			const { code, message } = decoded.value.error;
			return result_ok({
				code,
				message: lookup_text(message) ?? ""
			});
		}
		function decodeRepositories(json) {
			return decodeEntries(json, "repositories", repository, shownRepository);
		}
		function decodePresets(json) {
			return decodeEntries(json, "presets", preset, shownPreset);
		}
		function decodeGuidance(json) {
			const decoded = decode(guidance, json);
			return decoded.ok ? result_ok(decoded.value.content) : decoded;
		}
		function decodeScanPage(json) {
			return decodePage(json, readListedScan);
		}
		function decodeFindingPage(json) {
			return decodePage(json, readFinding);
		}
		function decodePage(json, readItem) {
			const decoded = decode(page, json);
			return decoded.ok ? result_ok({
				...decoded.value,
				items: decoded.value.items.map(readItem)
			}) : decoded;
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
				"scan.scanId",
				"scan.id",
				"id"
			],
			scan: {
				id: ["id", "scanId"],
				repositoryId: ["repositoryId", "repository.id"],
				presetRef: [
					"presetRef",
					"preset.ref",
					"preset"
				],
				baseSha: [
					"baseCommit",
					"diffBase",
					"diffBaseCommit",
					"baseSha"
				],
				headSha: [
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
				creditBudget: ["creditBudget", "budget"],
				areas: [
					"auditAreaKeys",
					"auditAreas",
					"areas"
				],
				guidance: ["guidanceApplied", "guidance"],
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
				id: ["id", "findingId"],
				title: [
					"title",
					"name",
					"summary"
				],
				cwe: [
					"cwe",
					"cweId",
					"cwe.id",
					"cwes.0",
					"cwes.0.id"
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
			triage: {
				confirmed: ["CONFIRMED"],
				notConfirmed: [
					"PENDING",
					"NOT_CONFIRMED",
					"REJECTED",
					"DISMISSED",
					"FALSE_POSITIVE"
				]
			},
			token: {
				projectId: ["project.id", "projectId"],
				scopes: ["scopes"],
				expiresAt: ["expiresAt"],
				spendLimit: ["spendLimit"],
				allowlist: [
					"repositoryAllowlist",
					"allowlist",
					"repositories"
				]
			}
		};
		const none = (value) => value === null ? null : void 0;
		const usableId = (value) => isUsableId(value) ? value : void 0;
		function decodeToken(json) {
			if (!lookup_isRecord(json)) return result_err("`body` is not an object");
			const names = ASSUMED.token;
			return result_ok({
				projectId: lookup_firstOf(json, names.projectId, usableId),
				scopes: lookup_firstOf(json, names.scopes, ids),
				expiresAt: lookup_firstOf(json, names.expiresAt, lookup_text),
				spendLimit: lookup_firstOf(json, names.spendLimit, lookup_whole(0)),
				allowlist: lookup_firstOf(json, names.allowlist, ids)
			});
		}
		function decodeLaunched(json) {
			const scanId = lookup_firstOf(json, ASSUMED.launchedScan, usableId);
			return scanId === void 0 ? result_err("no readable scan id") : result_ok({ scanId });
		}
		function decodeScan(json, askedFor) {
			const decoded = decode(scanDetail, json);
			if (!decoded.ok) return decoded;
			const { scan } = decoded.value;
			const names = ASSUMED.scan;
			const status = lookup_firstOf(scan, ["status"], lookup_text);
			if (status === void 0) return result_err("`scan.status` is not a string");
			if ((lookup_firstOf(scan, names.id, lookup_text) ?? askedFor) !== askedFor) return result_err("`scan` is another scan");
			const progress = scan["progress"];
			return result_ok({
				...subjectOf(scan),
				id: askedFor,
				status,
				progress: {
					phasesCompleted: lookup_firstOf(progress, ["phasesCompleted"], lookup_whole(0)),
					phasesTotal: lookup_firstOf(progress, ["phasesTotal"], lookup_whole(0)),
					weighted: lookup_firstOf(progress, names.weighted, share),
					reservedCredits: lookup_firstOf(progress, names.reserved, lookup_whole(0))
				}
			});
		}
		function readListedScan(item) {
			return {
				...subjectOf(item),
				id: lookup_firstOf(item, ASSUMED.scan.id, usableId),
				status: lookup_firstOf(item, ["status"], lookup_text)
			};
		}
		function subjectOf(scan) {
			const names = ASSUMED.scan;
			return {
				repositoryId: lookup_firstOf(scan, names.repositoryId, lookup_text),
				presetRef: lookup_firstOf(scan, names.presetRef, lookup_text),
				baseSha: lookup_firstOf(scan, names.baseSha, commitId) ?? lookup_firstOf(scan, names.baseSha, none),
				headSha: lookup_firstOf(scan, names.headSha, commitId),
				createdAt: lookup_firstOf(scan, names.createdAt, lookup_text),
				creditBudget: lookup_firstOf(scan, names.creditBudget, lookup_whole(0)),
				areas: lookup_firstOf(scan, names.areas, areaKeys),
				guidance: lookup_firstOf(scan, names.guidance, shownGuidance) ?? lookup_firstOf(scan, names.guidance, noGuidance)
			};
		}
		const readTriage = triageReader(ASSUMED.triage);
		const readLocation = locationReader(ASSUMED.finding.location);
		const wire_readPaths = pathsReader(ASSUMED.finding.location);
		const readTitle = (value) => {
			const title = (lookup_text(value)?.split(LINE_END) ?? []).map((line) => line.trim()).filter((line) => line !== "").join(" ");
			return isBlank(title) ? void 0 : title;
		};
		const LINE_END = /[\n\v\f\r\u0085\u2028\u2029]/;
		function readFinding(item) {
			const names = ASSUMED.finding;
			const id = lookup_firstOf(item, names.id, usableId);
			const location = readLocation(item);
			const otherPaths = wire_readPaths(item).filter((path) => path !== location?.path);
			return {
				id,
				label: `ZK-${id === void 0 ? "????????" : [...id].slice(-8).join("")}`,
				severity: severityOf(lookup_firstOf(item, ["severity"], lookup_text)),
				triage: lookup_firstOf(item, ["triageStatus"], readTriage),
				evidence: item["confirmationEvidence"] === null ? null : lookup_firstOf(item, ["confirmationEvidence"], word),
				resolution: lookup_firstOf(item, ["resolutionStatus"], lookup_text),
				title: lookup_firstOf(item, names.title, readTitle) ?? UNTITLED,
				cwe: lookup_firstOf(item, names.cwe, cweNumber),
				location,
				...otherPaths.length === 0 ? {} : { otherPaths },
				url: lookup_firstOf(item, names.url, lookup_text),
				description: lookup_firstOf(item, names.description, lookup_text),
				recommendedFix: lookup_firstOf(item, names.recommendedFix, lookup_text),
				proofOfConcept: lookup_firstOf(item, names.proofOfConcept, lookup_text)
			};
		}
		function decodeFinding(json) {
			const decoded = decode(findingDetail, json);
			return decoded.ok ? result_ok(readFinding(decoded.value.finding)) : decoded;
		}
		const FIXED_SEGMENTS = new Set([
			"cancel",
			"findings",
			"projects",
			"publish",
			"repositories",
			"resolution",
			"scan-presets",
			"scans",
			"token"
		]);
		function routeOf(path) {
			const [plain = ""] = path.split("?");
			return plain.split("/").map((segment) => segment === "" || FIXED_SEGMENTS.has(segment) ? segment : "{id}").join("/");
		}
		function createHttp(options) {
			const { baseUrl, token, clock, leftMs = () => Number.POSITIVE_INFINITY } = options;
			const redact = redactor(token);
			async function request(call) {
				const { operation, method, path, body, signal } = call;
				const stopped = (sent) => result_err({
					kind: "stopped",
					operation,
					sent,
					by: stopCause(signal) ?? "signal"
				});
				const unreachable = ({ detail, ...failure }) => result_err({
					kind: "unreachable",
					operation,
					...failure,
					detail: foreignLine(redact(detail))
				});
				if (signal.aborted) return stopped("no");
				return withDeadline({
					clock,
					signal,
					ms: options.attemptTimeoutMs
				}, async (attempt) => {
					let oversize = false;
					const limited = limitedFetch(options.fetch, "service", () => {
						oversize = true;
					});
					try {
						const response = await limited(`${baseUrl}${path}`, {
							method,
							redirect: "manual",
							headers: {
								accept: "application/json",
								authorization: `Bearer ${token}`,
								"user-agent": "scangate",
								...body === void 0 ? {} : { "content-type": "application/json" }
							},
							body: body === void 0 ? null : JSON.stringify(body),
							signal: attempt.signal
						});
						return await readAnswer(operation, response, () => oversize);
					} catch (thrown) {
						const endedBy = attempt.endedBy();
						if (endedBy === "caller") return stopped("unknown");
						if (endedBy === void 0) return unreachable(readConnectionError(thrown));
						return unreachable({
							sent: "unknown",
							cause: "timeout",
							detail: "no complete response in time"
						});
					}
				});
			}
			async function readAnswer(operation, response, isOversize) {
				const { status } = response;
				const date = parseHttpDate(response.headers.get("date") ?? "");
				const retryAfterSeconds = parseRetryAfter(response.headers.get("retry-after"), date ?? clock.date());
				const outlastsRun = retryAfterSeconds !== void 0 && retryAfterSeconds * 1e3 >= leftMs();
				const lasting = outlastsRun ? { outlastsRun } : {};
				const invalid = (problem, detail) => result_err({
					kind: "invalid",
					operation,
					status,
					problem,
					detail: foreignLine(redact(detail)),
					retryAfterSeconds,
					...lasting
				});
				if (status >= 300 && status < 400 || response.type === "opaqueredirect") return invalid("redirect", await options.showMessages() ? redirectTarget(response, baseUrl) : "a redirect");
				const text = await response.text().catch((thrown) => {
					if (isOversize()) return void 0;
					throw thrown;
				});
				if (text === void 0) return invalid("oversize", `more than ${largestBody("service")}`);
				const json = http_parseJson(text, redact);
				if (json === void 0) return invalid("not-json", bodyShown(text, await options.showMessages()));
				if (response.ok) return result_ok({
					status,
					json: json.value,
					retryAfterSeconds,
					date
				});
				const refusal = decodeRefusal(json.value);
				if (!refusal.ok) return invalid("wrong-shape", refusal.error);
				const { code, message } = refusal.value;
				return result_err({
					kind: "refused",
					operation,
					status,
					code,
					message: await options.showMessages() ? message : "",
					retryAfterSeconds,
					...lasting
				});
			}
			async function tracedRequest(call) {
				const began = clock.now();
				const answer = await request(call);
				const end = http_endOf(answer);
				if (end !== void 0) {
					const { method, path, attempt } = call;
					const ms = clock.now() - began;
					options.debug?.(redact(requestLine({
						method,
						route: routeOf(path),
						end,
						attempt,
						ms
					})));
				}
				return answer;
			}
			return {
				request: options.debug === void 0 ? request : tracedRequest,
				redact
			};
		}
		function bodyShown(text, showMessages) {
			if (text.trim() === "") return "an empty body";
			return showMessages ? `a body that begins with ${text}` : "a body of another format";
		}
		function http_endOf(answer) {
			if (answer.ok) return String(answer.value.status);
			const { error } = answer;
			switch (error.kind) {
				case "refused": return `${error.status} refused`;
				case "invalid": return `${error.status} ${error.problem}`;
				case "unreachable": return error.cause;
				case "stopped": return error.sent === "no" ? void 0 : "stopped";
			}
		}
		function http_parseJson(text, redact) {
			try {
				return { value: redactStrings(JSON.parse(text), redact) };
			} catch {
				return;
			}
		}
		function redactStrings(value, redact) {
			if (typeof value === "string") return redact(value);
			if (typeof value !== "object" || value === null) return value;
			for (const name of Object.keys(value)) {
				const member = Reflect.get(value, name);
				const redacted = redactStrings(member, redact);
				if (redacted !== member) Reflect.set(value, name, redacted);
			}
			return value;
		}
		function redirectTarget(response, baseUrl) {
			const location = response.headers.get("location");
			const target = location === null ? null : URL.parse(location, baseUrl);
			return target === null ? "a redirect" : `a redirect to ${target.origin}${target.pathname}`;
		}
		const PAGE_LIMITS = [
			100,
			10,
			1
		];
		const MOST_PAGES = 1e3;
		const paginate_WIDTH = 4;
		const MOST_READINGS = 3;
		const MOST_TOO_LARGE_AT_START = 20;
		async function readAll(pages) {
			const known = { cap: PAGE_LIMITS[0] };
			for (let reading = 1;; reading++) {
				const read = await readOnce(pages, known);
				if (!read.ok) return read;
				if (read.value !== "shifted") return result_ok(read.value);
				if (reading === MOST_READINGS) return result_err(pages.invalid("shifting-list", `not the same list from page to page, ${reading} times`));
				await pages.beforeReadingAgain();
			}
		}
		async function readOnce(pages, known) {
			const ask = askOnce(pages, known);
			const first = await firstAnswer(ask);
			if (!first.ok) return first;
			const { total } = first.value;
			const { cap } = known;
			const count = Math.max(1, Math.ceil(total / cap));
			if (count > MOST_PAGES) return result_err(pages.invalid("wrong-shape", `a list of ${total} items in pages of ${cap}`));
			pages.onTotal?.(total);
			const items = [];
			let steady = true;
			let positions;
			for (const [index, asked] of PAGE_LIMITS.entries()) {
				const size = Math.min(asked, cap);
				if (index > 0 && size === cap) continue;
				const answers = await askAll(ask, positions === void 0 ? upTo(count) : pagesOf(positions, size), asked);
				const left = new Set();
				for (const [number, answer] of answers) {
					const from = (number - 1) * size;
					if (answer.ok) {
						steady &&= answer.value.total === total && answer.value.limit === size;
						items.push(...answer.value.items.filter((_item, index) => positions?.has(from + index + 1) ?? true));
					} else if (isOversize(answer.error)) {
						for (let position = from + 1; position <= Math.min(from + size, total); position += 1) if (positions?.has(position) ?? true) left.add(position);
					} else return answer;
				}
				positions = left;
				if (left.size === 0) break;
			}
			for (const position of positions ?? []) items.push(pages.tooLarge(position));
			const unique = distinct(items, pages.idOf);
			return result_ok(steady && unique.length === total ? unique : "shifted");
		}
		async function firstAnswer(ask) {
			let tooLarge;
			for (const asked of PAGE_LIMITS) for (let number = 1; number <= (asked === 1 ? MOST_TOO_LARGE_AT_START : 1); number += 1) {
				const answer = await ask(number, asked);
				if (answer.ok || !isOversize(answer.error)) return answer;
				tooLarge ??= answer;
			}
			if (tooLarge === void 0 || tooLarge.ok) throw new Error("no page was asked for");
			return tooLarge;
		}
		async function askAll(ask, numbers, limit) {
			let failed = false;
			return (await inPool(numbers, paginate_WIDTH, async (number) => {
				if (failed) return void 0;
				const answer = await ask(number, limit);
				failed ||= !answer.ok && !isOversize(answer.error);
				return [number, answer];
			})).filter((answer) => answer !== void 0);
		}
		function askOnce(pages, known) {
			const asked = new Map();
			const read = async (number, limit) => {
				const page = await pages.readPage(number, limit);
				if (!page.ok) return page;
				if (page.value.limit < limit) known.cap = Math.min(known.cap, page.value.limit);
				if (page.value.page === number) return page;
				return result_err(pages.invalid("wrong-shape", `page ${page.value.page} in the place of page ${number}`));
			};
			return (number, limit) => {
				const key = `${number} of ${limit}`;
				const answer = asked.get(key) ?? read(number, limit);
				asked.set(key, answer);
				return answer;
			};
		}
		function isOversize(error) {
			return error.kind === "invalid" && error.problem === "oversize";
		}
		function upTo(count) {
			return Array.from({ length: count }, (_, index) => index + 1);
		}
		function pagesOf(positions, size) {
			return [...new Set([...positions].map((position) => Math.ceil(position / size)))];
		}
		function distinct(items, idOf) {
			const seen = new Set();
			return items.filter((item) => {
				const id = idOf(item);
				if (id === void 0) return true;
				if (seen.has(id)) return false;
				seen.add(id);
				return true;
			});
		}
		function createCaller(options) {
			const { clock, random } = options;
			const http = createHttp(options);
			const sharedPause = createPause(clock);
			const invalid = (operation, status, problem, detail) => ({
				kind: "invalid",
				operation,
				status,
				problem,
				detail: http.redact(detail),
				retryAfterSeconds: void 0
			});
			function call({ signal }, request) {
				const { operation, method = "GET", decode, onThrottled, patience } = request;
				const { attempts = READ_ATTEMPTS, onceAccepted = false, atOnce = false } = request;
				const pause = atOnce ? createPause(clock) : sharedPause;
				let turn;
				const afterFailure = (error, made) => {
					const after = afterFailedCall(error, made, {
						attempts,
						onceAccepted,
						random
					});
					if (patience !== void 0 && !isOversize(error)) {
						const waitMs = waitPatiently(patience, error, random);
						return {
							...after,
							again: waitMs !== void 0,
							waitMs: waitMs ?? 0
						};
					}
					if (after.again && after.forAll) turn = onThrottled?.();
					return after;
				};
				return withRetry({
					clock,
					signal,
					pause,
					afterFailure
				}, async (attempt) => {
					if (turn !== void 0) {
						await turn;
						await pause.over(signal);
					}
					const answer = await http.request({
						...request,
						method,
						signal,
						attempt
					});
					if (!answer.ok) return answer;
					const value = decode(answer.value.json, answer.value);
					return value.ok ? value : result_err(invalid(operation, answer.value.status, "wrong-shape", value.error));
				});
			}
			return {
				call,
				invalid
			};
		}
		function publicScanPage(baseUrl, publicId) {
			return `${baseUrl.replace(/\/api\/v1$/, "")}/public/scans/${pathSegment(publicId)}`;
		}
		const SAMPLE_ATTEMPTS = 2;
		const SAMPLE_SIZE = 10;
		const LONG_LIST = 1e3;
		function createScanApi(options) {
			const { baseUrl, clock, random } = options;
			const { call, invalid } = createCaller(options);
			const project = (projectId) => `/projects/${pathSegment(projectId)}`;
			const scanPath = (projectId, scanId) => `${project(projectId)}/scans/${pathSegment(scanId)}`;
			const pageOf = (path, page, limit, query = {}) => `${path}?${new URLSearchParams({
				...query,
				page: String(page),
				limit: String(limit)
			})}`;
			const findingPage = (projectId, page, limit, query = {}) => ({
				operation: "list the findings",
				path: pageOf(`${project(projectId)}/findings`, page, limit, query),
				decode: decodeFindingPage
			});
			return {
				token: (until) => call(until, {
					operation: "check the API token",
					path: "/token",
					decode: decodeToken
				}),
				repositories(projectId, until) {
					const path = `${project(projectId)}/repositories`;
					return call(until, {
						operation: "list the repositories",
						path,
						decode: decodeRepositories
					});
				},
				presets(projectId, until) {
					const path = `${project(projectId)}/scan-presets`;
					return call(until, {
						operation: "list the presets",
						path,
						decode: decodePresets
					});
				},
				guidance(projectId, repositoryId, until) {
					const path = `${project(projectId)}/repositories/${pathSegment(repositoryId)}/guidance`;
					return call(until, {
						operation: "read the stored guidance",
						path,
						decode: decodeGuidance
					});
				},
				scans: (projectId, until) => call(until, {
					operation: "list the scans",
					path: pageOf(`${project(projectId)}/scans`, 1, PAGE_LIMITS[0]),
					decode(json, { date }) {
						const page = decodeScanPage(json);
						if (!page.ok) return page;
						const { items: scans, total } = page.value;
						return result_ok({
							scans,
							complete: scans.length >= total,
							readAt: date
						});
					}
				}),
				launch: (projectId, body, until) => call(until, {
					operation: "launch the scan",
					method: "POST",
					path: `${project(projectId)}/scans`,
					body,
					attempts: 1,
					atOnce: true,
					decode(json, { status, date }) {
						if (status !== 202) return result_err(`HTTP ${status}, not 202`);
						const launched = decodeLaunched(json);
						return launched.ok ? result_ok({
							...launched.value,
							acceptedAt: date
						}) : launched;
					}
				}),
				scan: async (projectId, scanId, until) => call(until, {
					operation: "read the scan",
					path: scanPath(projectId, scanId),
					attempts: 1,
					decode(json, { retryAfterSeconds }) {
						const scan = decodeScan(json, scanId);
						if (!scan.ok) return scan;
						return result_ok({
							scan: scan.value,
							retryAfterMs: advisedWait("poll", retryAfterSeconds)
						});
					}
				}),
				readScan: (projectId, scanId, until) => call(until, {
					operation: "read the scan",
					path: scanPath(projectId, scanId),
					decode: (json) => decodeScan(json, scanId)
				}),
				cancel: (projectId, scanId, until) => call(until, {
					operation: "cancel the scan",
					method: "POST",
					path: `${scanPath(projectId, scanId)}/cancel`,
					atOnce: true,
					decode: decodeCancelled
				}),
				findings: (projectId, scanId, { isPaid = false, ...until }) => readAll({
					readPage(page, limit) {
						const patience = isPaid ? createPatience(clock) : void 0;
						return call(until, {
							...findingPage(projectId, page, limit, { scanId }),
							patience
						});
					},
					idOf: ({ id }) => id,
					tooLarge: oversizeFinding,
					onTotal(total) {
						if (total > LONG_LIST) options.onLongList?.();
					},
					beforeReadingAgain: () => clock.sleep(1e3 + random() * 1e3, until.signal),
					invalid: (problem, detail) => invalid("list the findings", 200, problem, detail)
				}),
				async sampleFindings(projectId, until) {
					const readSample = (limit) => call(until, {
						...findingPage(projectId, 1, limit),
						attempts: SAMPLE_ATTEMPTS
					});
					const several = await readSample(SAMPLE_SIZE);
					const page = !several.ok && isOversize(several.error) ? await readSample(1) : several;
					return page.ok ? result_ok(page.value.items) : page;
				},
				finding: (projectId, findingId, { onThrottled, ...until }) => call(until, {
					operation: "read a finding",
					path: `${project(projectId)}/findings/${pathSegment(findingId)}`,
					decode(json) {
						const found = decodeFinding(json);
						return found.ok && found.value.id !== void 0 && found.value.id !== findingId ? result_err("`finding` is another finding") : found;
					},
					onThrottled
				}),
				publish: (projectId, scanId, gated, until) => call(until, {
					operation: "publish the scan",
					method: "POST",
					path: `${scanPath(projectId, scanId)}/publish`,
					body: publishBody(gated),
					attempts: SEND_ATTEMPTS,
					onceAccepted: true,
					decode(json) {
						const published = decodePublished(json);
						if (!published.ok) return published;
						return result_ok({
							...published.value,
							gated,
							url: publicScanPage(baseUrl, published.value.publicId)
						});
					}
				})
			};
		}
		function connectService({ clock, fetch, random, log }, { baseUrl, apiToken: token }, options) {
			return createScanApi({
				baseUrl,
				token,
				clock,
				fetch,
				random,
				debug: log.debug,
				...options
			});
		}
		function connectGitHub({ clock, fetch, log }, { githubToken: token }, environment) {
			return createGitHub({
				token,
				environment,
				clock,
				fetch,
				debug: log.debug
			});
		}
		const LONGEST_TIMER_MS = 2 ** 31 - 1;
		function clampTimer(ms) {
			return Number.isNaN(ms) ? 0 : Math.min(Math.max(ms, 0), LONGEST_TIMER_MS);
		}
		const systemClock = {
			now: () => process.uptime() * 1e3,
			date: () => new Date(),
			sleep: (ms, signal) => new Promise((resolve) => {
				if (signal?.aborted) return resolve();
				const done = () => {
					clearTimeout(timer);
					signal?.removeEventListener("abort", done);
					resolve();
				};
				const timer = setTimeout(done, clampTimer(ms));
				signal?.addEventListener("abort", done, { once: true });
			}),
			timeout: (ms) => {
				const controller = new AbortController();
				const timer = setTimeout(() => controller.abort(), clampTimer(ms));
				return {
					signal: controller.signal,
					clear: () => clearTimeout(timer)
				};
			}
		};
		async function runStepProcess(main, failUnexpectedly) {
			process.exitCode = 1;
			const log = createRunnerLog();
			const ignored = verifyCertificates(process.env);
			const deadlines = createDeadlines(systemClock);
			const fail = (error) => {
				failUnexpectedly(error instanceof Error ? error.message : "no error object", log);
				return 1;
			};
			for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => deadlines.stop("signal"));
			process.stdout.on("error", () => {
				process.stderr.write("stdout was closed. Stopping.\n");
				deadlines.stop("signal");
			});
			process.stderr.on("error", () => {});
			process.on("uncaughtException", (error) => {
				if (!isStrayFetchError(error)) process.exit(fail(error));
			});
			const work = attemptMain(() => main({
				clock: systemClock,
				fetch,
				random: Math.random,
				deadlines,
				log
			}), fail);
			if (ignored !== void 0) log.warning(ignored);
			const exitCode = await work;
			process.stdout.write("", () => process.exit(exitCode));
		}
		async function attemptMain(main, fail) {
			try {
				return await main();
			} catch (error) {
				return fail(error);
			}
		}
		function openCleanUp(resources, { connection, delivery }, environment) {
			const { clock, random, log } = resources;
			const { baseUrl, apiToken } = connection;
			const showMessages = async () => false;
			const deadlines = createCleanUpDeadlines(clock);
			const { leftMs, all: signal } = deadlines;
			const isReachable = baseUrl !== "" && apiToken !== "";
			const detailsUrl = environment?.runUrl;
			const connect = () => {
				const api = connectService(resources, connection, {
					showMessages,
					leftMs
				});
				return {
					clock,
					random,
					signal,
					log,
					warn: createWarnings(log).warn,
					api
				};
			};
			return {
				log,
				deadlines,
				service: isReachable ? connect() : void 0,
				github: environment && connectGitHub(resources, connection, environment),
				checkRun: {
					name: delivery.checkName,
					...detailsUrl !== void 0 && { detailsUrl }
				},
				runId: environment?.runId,
				seal: createSeal(apiToken, environment?.repositoryId ?? "")
			};
		}
		async function cleanUp(resources, inputs, environment, { scan, checkRun, unreadable }) {
			if (unreadable) resources.log.warning(UNREADABLE);
			const opened = openCleanUp(resources, inputs, environment);
			const [exitCode] = await Promise.all([scan && endScan(opened, scan), checkRun && endCheckRun(opened, checkRun)]);
			return exitCode ?? 0;
		}
		async function endScan(opened, run) {
			const { log, service, deadlines } = opened;
			if (service === void 0) {
				log.error(`\`api-token\` or \`base-url\` is unavailable in the post step, so the scan could not be cancelled. ${leftBehind(run)}`);
				return 1;
			}
			if (!("scanId" in run)) {
				log.info("The job ended during a launch. Looking for the scan in the service's scan list.");
				return cancelLost(opened, service, run);
			}
			const { projectId, scanId, launch } = run;
			if (launch === void 0) return report(log, scanId, await cancelScan(service, projectId, scanId));
			const search = {
				...service,
				signal: deadlines.search
			};
			const read = await awaitScan(search, run, UNKNOWN_MS);
			if (!read.ok && read.error.why === "not-found") {
				log.info("The service does not know the scan that it named. Looking for it in the scan list.");
				return cancelLost(opened, service, launch, scanId);
			}
			const isOurs = await isOfLaunch(search, launch, {
				scanId,
				createdAt: read.ok ? read.value.scan.createdAt : void 0
			});
			if (isOurs.ok && isOurs.value) return report(log, scanId, await cancelScan(service, projectId, scanId));
			log.error(isOurs.ok ? sentencesOf(notOfLaunch(scanId, launch)) : `${isOurs.error.cause} ${leftBehind(run)}`);
			return 1;
		}
		const UNKNOWN_MS = 1e4;
		async function cancelLost({ log, deadlines, github, seal }, service, launch, named) {
			const lost = await cancelFound(service, launch, await findLost({
				...service,
				github,
				seal,
				signal: deadlines.search
			}, launch, named));
			if (lost.kind === "found") return report(log, lost.scanId, lost.cancellation);
			if (lost.why === "none") {
				log.warning(`${describeCandidates(lost)} Most likely no scan was launched.`);
				return 0;
			}
			log.error(`A scan may have been launched. ${describeCandidates(lost)} ${recoveryHint(launch)}`);
			return 1;
		}
		function leftBehind(run) {
			return "scanId" in run ? `Scan \`${run.scanId}\` may still be running. Cancel it in the service.` : `A scan may have been launched. ${recoveryHint(run)}`;
		}
		function report(log, scanId, cancellation) {
			const sentence = cancel_describeCancellation(scanId, cancellation);
			if (cancellation.kind !== "failed") {
				log.info(sentence);
				return 0;
			}
			log.error(sentence);
			return 1;
		}
		async function endCheckRun(opened, left) {
			const { github, log, checkRun } = opened;
			if (github === void 0) return;
			const checkRunId = await findCheckRun(opened, github, left);
			if (checkRunId === void 0) return;
			const identity = {
				...checkRun,
				headSha: left.headSha,
				externalId: void 0
			};
			const { conclusion, output } = left.verdict === void 0 ? endedEarly(checkRun) : lateConclusion(left.verdict);
			const result = {
				conclusion,
				output: {
					...output,
					text: ""
				},
				annotations: []
			};
			const mayCreate = false;
			const { all } = opened.deadlines;
			const completed = await completeCheckRun(github.until(all), checkRunId, identity, result, mayCreate);
			if (!completed.ok) log.warning(errors_explainGitHubError(completed.error));
		}
		async function findCheckRun(opened, github, left) {
			const list = () => listCheckRuns(github.until(opened.deadlines.all), left.headSha, opened.checkRun.name);
			const listed = await list();
			const { id } = left;
			if (id !== void 0) return (listed.ok ? listed.value.find((run) => run.id === id) : void 0)?.status === "completed" ? void 0 : id;
			const found = findMarked(opened, left, listed);
			if (found !== void 0 || !listed.ok) return found;
			await github.until(opened.deadlines.all).pauseAfterLoss();
			return findMarked(opened, left, await list());
		}
		function findMarked({ log, runId, seal }, { scanId }, listed) {
			if (!listed.ok) {
				log.warning(`A check run may still be in progress. ${errors_explainGitHubError(listed.error)}`);
				return;
			}
			return listed.value.find(({ status, externalId }) => {
				const mark = scan_mark_readMark(externalId, seal);
				return status !== "completed" && mark !== void 0 && mark.scanId === scanId && mark.runId === runId;
			})?.id;
		}
		function endedEarly({ detailsUrl }) {
			return {
				conclusion: "cancelled",
				output: {
					title: "Not scanned: the job ended early",
					summary: `The job ended before the scan completed. The log of the post step shows whether the scan was cancelled. ${detailsUrl === void 0 ? "Re-run this job." : `[Re-run this job](${detailsUrl}).`}`
				}
			};
		}
		function lateConclusion({ conclusion, title }) {
			return {
				conclusion,
				output: {
					title,
					summary: "The whole report could not be written here. See the log and the job summary."
				}
			};
		}
		const UNREADABLE = "Could not read what the job saved, so a scan may still be running and a check run may stay in progress. Check this repository's scans and cancel the one of this job. Re-run this job to complete the check run.";
		function cleanUpAfterJob() {
			return runStepProcess(cleanUpSaved, (what, log) => log.error(`Cleanup failed: ${what}. Check the service for a running scan of this job.`));
		}
		async function cleanUpSaved(step) {
			const left = createRunState().saved();
			if (left === void 0) return 0;
			const { inputs } = readInputs(process.env["GITHUB_WORKSPACE"] || process.cwd());
			const proxyFault = proxy_useProxy(process.env, inputs.connection.baseUrl);
			if (proxyFault !== void 0) step.log.warning(proxyFault.cause);
			const environment = environment_readEnvironment(process.env);
			return cleanUp(step, inputs, environment.ok ? environment.value : void 0, left);
		}
	}),
	431: ((__webpack_module__, __unused_webpack___webpack_exports__, __nccwpck_require__) => {
		__nccwpck_require__.a(__webpack_module__, async (__webpack_handle_async_dependencies__, __webpack_async_result__) => {
			try {
				const isSaved = (0, __nccwpck_require__(296).h)(process.env);
				process.exitCode = isSaved ? 1 : 0;
				if (isSaved) {
					const { cleanUpAfterJob } = await Promise.resolve().then(__nccwpck_require__.bind(__nccwpck_require__, 825));
					await cleanUpAfterJob();
				}
				__webpack_async_result__();
			} catch (e) {
				__webpack_async_result__(e);
			}
		}, 1);
	}),
	296: ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {
		__nccwpck_require__.d(__webpack_exports__, {
			h: () => isStateSaved,
			p: () => STATE_NAMES
		});
		const STATE_NAMES = {
			scan: "running-scan",
			checkRun: "open-check-run"
		};
		function isStateSaved(env) {
			return Object.values(STATE_NAMES).some((name) => Boolean(env[`STATE_${name}`]));
		}
	})
};
var __webpack_module_cache__ = {};
function __nccwpck_require__(moduleId) {
	var cachedModule = __webpack_module_cache__[moduleId];
	if (cachedModule !== void 0) return cachedModule.exports;
	var module = __webpack_module_cache__[moduleId] = { exports: {} };
	var threw = true;
	try {
		__webpack_modules__[moduleId](module, module.exports, __nccwpck_require__);
		threw = false;
	} finally {
		if (threw) delete __webpack_module_cache__[moduleId];
	}
	return module.exports;
}
if (typeof __nccwpck_require__ !== "undefined") __nccwpck_require__.ab = decodeURIComponent(new URL(".", import.meta.url).pathname).slice(import.meta.url.match(/^file:\/\/\/\w:/) ? 1 : 0, -1) + "/";
(() => {
	var webpackQueues = typeof Symbol === "function" ? Symbol("webpack queues") : "__webpack_queues__";
	var webpackExports = typeof Symbol === "function" ? Symbol("webpack exports") : "__webpack_exports__";
	var webpackError = typeof Symbol === "function" ? Symbol("webpack error") : "__webpack_error__";
	var resolveQueue = (queue) => {
		if (queue && queue.d < 1) {
			queue.d = 1;
			queue.forEach((fn) => fn.r--);
			queue.forEach((fn) => fn.r-- ? fn.r++ : fn());
		}
	};
	var wrapDeps = (deps) => deps.map((dep) => {
		if (dep !== null && typeof dep === "object") {
			if (dep[webpackQueues]) return dep;
			if (dep.then) {
				var queue = [];
				queue.d = 0;
				dep.then((r) => {
					obj[webpackExports] = r;
					resolveQueue(queue);
				}, (e) => {
					obj[webpackError] = e;
					resolveQueue(queue);
				});
				var obj = {};
				obj[webpackQueues] = (fn) => fn(queue);
				return obj;
			}
		}
		var ret = {};
		ret[webpackQueues] = (x) => {};
		ret[webpackExports] = dep;
		return ret;
	});
	__nccwpck_require__.a = (module, body, hasAwait) => {
		var queue;
		hasAwait && ((queue = []).d = -1);
		var depQueues = new Set();
		var exports = module.exports;
		var currentDeps;
		var outerResolve;
		var reject;
		var promise = new Promise((resolve, rej) => {
			reject = rej;
			outerResolve = resolve;
		});
		promise[webpackExports] = exports;
		promise[webpackQueues] = (fn) => (queue && fn(queue), depQueues.forEach(fn), promise["catch"]((x) => {}));
		module.exports = promise;
		body((deps) => {
			currentDeps = wrapDeps(deps);
			var fn;
			var getResult = () => currentDeps.map((d) => {
				if (d[webpackError]) throw d[webpackError];
				return d[webpackExports];
			});
			var promise = new Promise((resolve) => {
				fn = () => resolve(getResult);
				fn.r = 0;
				var fnQueue = (q) => q !== queue && !depQueues.has(q) && (depQueues.add(q), q && !q.d && (fn.r++, q.push(fn)));
				currentDeps.map((dep) => dep[webpackQueues](fnQueue));
			});
			return fn.r ? promise : getResult();
		}, (err) => (err ? reject(promise[webpackError] = err) : outerResolve(exports), resolveQueue(queue)));
		queue && queue.d < 0 && (queue.d = 0);
	};
})();
(() => {
	__nccwpck_require__.d = (exports, definition) => {
		for (var key in definition) if (__nccwpck_require__.o(definition, key) && !__nccwpck_require__.o(exports, key)) Object.defineProperty(exports, key, {
			enumerable: true,
			get: definition[key]
		});
	};
})();
(() => {
	__nccwpck_require__.o = (obj, prop) => Object.prototype.hasOwnProperty.call(obj, prop);
})();
var __webpack_exports__ = __nccwpck_require__(431);
__webpack_exports__ = await __webpack_exports__;
export {};
