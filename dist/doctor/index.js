import { createRequire } from "module";

// index.js
var __webpack_modules__ = {
	896: ((module) => {
		module.exports = createRequire(import.meta.url)("fs");
	}),
	455: ((module) => {
		module.exports = createRequire(import.meta.url)("node:fs/promises");
	}),
	857: ((module) => {
		module.exports = createRequire(import.meta.url)("os");
	}),
	471: ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {
		__nccwpck_require__.d(__webpack_exports__, { m: () => systemClock });
		const LONGEST_TIMER_MS = 2 ** 31 - 1;
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
	}),
	261: ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {
		__nccwpck_require__.d(__webpack_exports__, { j: () => writeJobSummary });
		var node_fs_promises__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(455);
		async function writeJobSummary(markdown) {
			const file = process.env["GITHUB_STEP_SUMMARY"];
			if (!file) throw new Error("the runner names no file for it in GITHUB_STEP_SUMMARY");
			await (0, node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.appendFile)(file, markdown);
		}
	}),
	473: ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {
		__nccwpck_require__.d(__webpack_exports__, { V3: () => writeDoctorOutputs });
		var _actions_core__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(783);
		function writeDoctorOutputs({ ready, problems }) {
			(0, _actions_core__WEBPACK_IMPORTED_MODULE_0__.uH)("ready", String(ready));
			(0, _actions_core__WEBPACK_IMPORTED_MODULE_0__.uH)("problems", String(problems));
		}
	}),
	874: ((__webpack_module__, __unused_webpack___webpack_exports__, __nccwpck_require__) => {
		__nccwpck_require__.a(__webpack_module__, async (__webpack_handle_async_dependencies__, __webpack_async_result__) => {
			try {
				var _clock_js__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(471);
				var _deliver_job_summary_js__WEBPACK_IMPORTED_MODULE_1__ = __nccwpck_require__(261);
				var _deliver_outputs_js__WEBPACK_IMPORTED_MODULE_2__ = __nccwpck_require__(473);
				var _doctor_row_js__WEBPACK_IMPORTED_MODULE_11__ = __nccwpck_require__(945);
				var _doctor_run_js__WEBPACK_IMPORTED_MODULE_3__ = __nccwpck_require__(331);
				var _github_environment_js__WEBPACK_IMPORTED_MODULE_4__ = __nccwpck_require__(376);
				var _github_event_payload_js__WEBPACK_IMPORTED_MODULE_5__ = __nccwpck_require__(158);
				var _github_payload_js__WEBPACK_IMPORTED_MODULE_6__ = __nccwpck_require__(691);
				var _http_proxy_js__WEBPACK_IMPORTED_MODULE_7__ = __nccwpck_require__(611);
				var _runner_inputs_js__WEBPACK_IMPORTED_MODULE_8__ = __nccwpck_require__(980);
				var _runner_limits_js__WEBPACK_IMPORTED_MODULE_10__ = __nccwpck_require__(846);
				var _runner_log_js__WEBPACK_IMPORTED_MODULE_9__ = __nccwpck_require__(52);
				process.exitCode = 1;
				const log = (0, _runner_log_js__WEBPACK_IMPORTED_MODULE_9__.f)();
				const limits = (0, _runner_limits_js__WEBPACK_IMPORTED_MODULE_10__.r)(_clock_js__WEBPACK_IMPORTED_MODULE_0__.m);
				const places = {
					log,
					writeSummary: _deliver_job_summary_js__WEBPACK_IMPORTED_MODULE_1__.j,
					writeOutputs: _deliver_outputs_js__WEBPACK_IMPORTED_MODULE_2__.V3
				};
				for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => limits.stop("signal"));
				for (const stream of [process.stdout, process.stderr]) stream.on("error", () => limits.stop("signal"));
				process.on("uncaughtException", (error) => process.exit(failUnexpectedly(error)));
				async function main() {
					try {
						const reading = (0, _runner_inputs_js__WEBPACK_IMPORTED_MODULE_8__.Ko)(process.env["GITHUB_WORKSPACE"] || process.cwd());
						const proxy = {
							fault: (0, _http_proxy_js__WEBPACK_IMPORTED_MODULE_7__.C)(process.env, reading.inputs.baseUrl),
							variable: (0, _http_proxy_js__WEBPACK_IMPORTED_MODULE_7__.rw)(process.env)
						};
						const environment = (0, _github_environment_js__WEBPACK_IMPORTED_MODULE_4__.Q)(process.env);
						if (!environment.ok) return await (0, _doctor_run_js__WEBPACK_IMPORTED_MODULE_3__.k)(places, [(0, _doctor_row_js__WEBPACK_IMPORTED_MODULE_11__.Mz)("Inputs", environment.error, "Workflow maintainer")]);
						const payload = await (0, _github_payload_js__WEBPACK_IMPORTED_MODULE_6__.r)(environment.value.eventPath);
						return await (0, _doctor_run_js__WEBPACK_IMPORTED_MODULE_3__.j)({
							...places,
							clock: _clock_js__WEBPACK_IMPORTED_MODULE_0__.m,
							fetch,
							random: Math.random,
							signal: limits.work,
							environment: environment.value,
							isPublic: !payload.ok || (0, _github_event_payload_js__WEBPACK_IMPORTED_MODULE_5__.GQ)(payload.value),
							reading,
							proxy
						});
					} catch (error) {
						return failUnexpectedly(error);
					}
				}
				function failUnexpectedly(error) {
					const what = error instanceof Error ? error.message : "no error object";
					log.error(`Not ready: unexpected error (${what}). Please open an issue in the Scangate repository.`);
					try {
						(0, _deliver_outputs_js__WEBPACK_IMPORTED_MODULE_2__.V3)({
							ready: false,
							problems: 1
						});
					} catch {}
					return 1;
				}
				const exitCode = await main();
				process.stdout.write("", () => process.exit(exitCode));
				__webpack_async_result__();
			} catch (e) {
				__webpack_async_result__(e);
			}
		}, 1);
	}),
	945: ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {
		__nccwpck_require__.d(__webpack_exports__, {
			$e: () => warning,
			Mz: () => errorOf,
			aY: () => code,
			hT: () => skipped,
			ok: () => ok,
			z3: () => error
		});
		var _text_foreign_text_js__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(669);
		function ok(check, text) {
			return {
				check,
				level: "ok",
				text
			};
		}
		function skipped(check, text) {
			return {
				check,
				level: "skipped",
				text
			};
		}
		function warning(check, text, who, what) {
			return {
				check,
				level: "warning",
				text,
				fix: {
					who,
					what
				}
			};
		}
		function error(check, text, who, what) {
			return {
				check,
				level: "error",
				text,
				fix: {
					who,
					what
				}
			};
		}
		function errorOf(check, { cause, nextStep }, who) {
			return error(check, cause, who, nextStep);
		}
		function code(text) {
			return `\`${(0, _text_foreign_text_js__WEBPACK_IMPORTED_MODULE_0__.n)(text).replaceAll("`", "'")}\``;
		}
	}),
	331: ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {
		__nccwpck_require__.d(__webpack_exports__, {
			k: () => deliverTable,
			j: () => runDoctor
		});
		async function attempt(what, notice, send) {
			try {
				return await send();
			} catch (error) {
				notice(`Could not write the ${what}: ${error instanceof Error ? error.message.replace(/[.\s]+$/, "") : "unexpected error"}. The result is not affected.`);
				return;
			}
		}
		var stop = __nccwpck_require__(764);
		const { GITHUB_EVENT_PATH: eventPath } = process.env;
		delete process.env["GITHUB_EVENT_PATH"];
		function restoreEventPath() {
			if (eventPath !== void 0) process.env["GITHUB_EVENT_PATH"] = eventPath;
		}
		var external_fs_ = __nccwpck_require__(896);
		var external_os_ = __nccwpck_require__(857);
		class Context {
			constructor() {
				var _a, _b, _c;
				this.payload = {};
				if (process.env.GITHUB_EVENT_PATH) {
					if ((0, external_fs_.existsSync)(process.env.GITHUB_EVENT_PATH)) this.payload = JSON.parse((0, external_fs_.readFileSync)(process.env.GITHUB_EVENT_PATH, { encoding: "utf8" }));
					else {
						const path = process.env.GITHUB_EVENT_PATH;
						process.stdout.write(`GITHUB_EVENT_PATH ${path} does not exist${external_os_.EOL}`);
					}
				}
				this.eventName = process.env.GITHUB_EVENT_NAME;
				this.sha = process.env.GITHUB_SHA;
				this.ref = process.env.GITHUB_REF;
				this.workflow = process.env.GITHUB_WORKFLOW;
				this.action = process.env.GITHUB_ACTION;
				this.actor = process.env.GITHUB_ACTOR;
				this.job = process.env.GITHUB_JOB;
				this.runAttempt = parseInt(process.env.GITHUB_RUN_ATTEMPT, 10);
				this.runNumber = parseInt(process.env.GITHUB_RUN_NUMBER, 10);
				this.runId = parseInt(process.env.GITHUB_RUN_ID, 10);
				this.apiUrl = (_a = process.env.GITHUB_API_URL) !== null && _a !== void 0 ? _a : `https://api.github.com`;
				this.serverUrl = (_b = process.env.GITHUB_SERVER_URL) !== null && _b !== void 0 ? _b : `https://github.com`;
				this.graphqlUrl = (_c = process.env.GITHUB_GRAPHQL_URL) !== null && _c !== void 0 ? _c : `https://api.github.com/graphql`;
			}
			get issue() {
				const payload = this.payload;
				return Object.assign(Object.assign({}, this.repo), { number: (payload.issue || payload.pull_request || payload).number });
			}
			get repo() {
				if (process.env.GITHUB_REPOSITORY) {
					const [owner, repo] = process.env.GITHUB_REPOSITORY.split("/");
					return {
						owner,
						repo
					};
				}
				if (this.payload.repository) return {
					owner: this.payload.repository.owner.login,
					repo: this.payload.repository.name
				};
				throw new Error("context.repo requires a GITHUB_REPOSITORY environment variable like 'owner/repo'");
			}
		}
		var not_bundled = __nccwpck_require__(25);
		function HttpClient() {
			return (0, not_bundled.C)("HttpClient", {
				getAgent: () => void 0,
				getAgentDispatcher: () => void 0
			});
		}
		const fetch = (0, not_bundled.C)("fetch of undici");
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
			return new HttpClient().getAgent(destinationUrl);
		}
		function getProxyAgentDispatcher(destinationUrl) {
			return new HttpClient().getAgentDispatcher(destinationUrl);
		}
		function getProxyFetch(destinationUrl) {
			const httpDispatcher = getProxyAgentDispatcher(destinationUrl);
			const proxyFetch = (url, opts) => __awaiter(this, void 0, void 0, function* () {
				return fetch(url, Object.assign(Object.assign({}, opts), { dispatcher: httpDispatcher }));
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
		function parse(options) {
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
			return parse(merge(defaults, route, options));
		}
		function withDefaults(oldDefaults, newDefaults) {
			const DEFAULTS2 = merge(oldDefaults, newDefaults);
			const endpoint2 = endpointWithDefaults.bind(null, DEFAULTS2);
			return Object.assign(endpoint2, {
				DEFAULTS: DEFAULTS2,
				defaults: withDefaults.bind(null, DEFAULTS2),
				merge: merge.bind(null, DEFAULTS2),
				parse
			});
		}
		var endpoint = withDefaults(null, DEFAULTS);
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
		const NullObject = /* @__PURE__ */ (() => {
			const C = function() {};
			C.prototype = Object.create(null);
			return C;
		})();
		function dist_parse(header, options) {
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
		function unescapeQuotedPairs(str, start, end) {
			let result = "";
			for (let index = start; index < end; index++) if (str.charCodeAt(index) === BSLASH) {
				result += str.slice(start, index);
				start = ++index;
			}
			return result + str.slice(start, end);
		}
		const intRegex = /^-?\d+$/;
		const noiseValue = /^-?\d+n+$/;
		const originalStringify = JSON.stringify;
		const originalParse = JSON.parse;
		const customFormat = /^-?\d+n$/;
		const bigIntsStringify = /([\[:])?"(-?\d+)n"($|\s*[,\}\]])/g;
		const noiseStringify = /([\[:])?("-?\d+n+)n("$|"\s*[,\}\]])/g;
		const isUnstringifiable = (val) => val === void 0 || typeof val === "function" || typeof val === "symbol";
		const isRawJSON = (val) => val !== null && typeof val === "object" && val.constructor && val.constructor.name === "RawJSON";
		const stringifyIteratively = (rootValue, replacer, spaceParam) => {
			let space = "";
			if (typeof spaceParam === "number") space = " ".repeat(Math.min(10, Math.max(0, Math.floor(spaceParam))));
			else if (typeof spaceParam === "string") space = spaceParam.slice(0, 10);
			const isFunctionReplacer = typeof replacer === "function";
			const propertyList = Array.isArray(replacer) ? new Set(replacer.map(String)) : null;
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
		const convertMarkedBigIntsReviver = (key, value, context, userReviver) => {
			if (typeof value === "string" && customFormat.test(value)) return BigInt(value.slice(0, -1));
			if (typeof value === "string" && noiseValue.test(value)) return value.slice(0, -1);
			if (!(typeof userReviver === "function")) return value;
			return userReviver(key, value, context);
		};
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
				/* v8 ignore else -- @preserve -- Bug with vitest coverage where it sees an else branch that doesn't exist */
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
			const mimetype = dist_parse(contentType);
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
				if (typeof query === "string" && "query" in options) return Promise.reject(/* @__PURE__ */ new Error(`[@octokit/graphql] "query" cannot be used as variable name`));
				for (const key in options) {
					if (!FORBIDDEN_VARIABLE_OPTIONS.includes(key)) continue;
					return Promise.reject(/* @__PURE__ */ new Error(`[@octokit/graphql] "${key}" cannot be used as variable name`));
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
			return { rest: (0, not_bundled.C)("octokit.rest") };
		}
		var plugin_paginate_rest_dist_bundle_VERSION = "0.0.0-development";
		function normalizePaginatedListResponse(response) {
			if (!response.data) return {
				...response,
				data: []
			};
			if (!(("total_count" in response.data || "total_commits" in response.data) && !("url" in response.data))) return response;
			const incompleteResults = response.data.incomplete_results;
			const repositorySelection = response.data.repository_selection;
			const totalCount = response.data.total_count;
			const totalCommits = response.data.total_commits;
			delete response.data.incomplete_results;
			delete response.data.repository_selection;
			delete response.data.total_count;
			delete response.data.total_commits;
			const namespaceKey = Object.keys(response.data)[0];
			response.data = response.data[namespaceKey];
			if (typeof incompleteResults !== "undefined") response.data.incomplete_results = incompleteResults;
			if (typeof repositorySelection !== "undefined") response.data.repository_selection = repositorySelection;
			response.data.total_count = totalCount;
			response.data.total_commits = totalCommits;
			return response;
		}
		function iterator(octokit, route, parameters) {
			const options = typeof route === "function" ? route.endpoint(parameters) : octokit.request.endpoint(route, parameters);
			const requestMethod = typeof route === "function" ? route : octokit.request;
			const method = options.method;
			const headers = options.headers;
			let url = options.url;
			return { [Symbol.asyncIterator]: () => ({ async next() {
				if (!url) return { done: true };
				try {
					const normalizedResponse = normalizePaginatedListResponse(await requestMethod({
						method,
						url,
						headers
					}));
					url = ((normalizedResponse.headers.link || "").match(/<([^<>]+)>;\s*rel="next"/) || [])[1];
					if (!url && "total_commits" in normalizedResponse.data) {
						const parsedUrl = new URL(normalizedResponse.url);
						const params = parsedUrl.searchParams;
						const page = parseInt(params.get("page") || "1", 10);
						if (page * parseInt(params.get("per_page") || "250", 10) < normalizedResponse.data.total_commits) {
							params.set("page", String(page + 1));
							url = parsedUrl.toString();
						}
					}
					return { value: normalizedResponse };
				} catch (error) {
					if (error.status !== 409) throw error;
					url = "";
					return { value: {
						status: 200,
						headers: {},
						data: []
					} };
				}
			} }) };
		}
		function paginate(octokit, route, parameters, mapFn) {
			if (typeof parameters === "function") {
				mapFn = parameters;
				parameters = void 0;
			}
			return gather(octokit, [], iterator(octokit, route, parameters)[Symbol.asyncIterator](), mapFn);
		}
		function gather(octokit, results, iterator2, mapFn) {
			return iterator2.next().then((result) => {
				if (result.done) return results;
				let earlyExit = false;
				function done() {
					earlyExit = true;
				}
				results = results.concat(mapFn ? mapFn(result.value, done) : result.value.data);
				if (earlyExit) return results;
				return gather(octokit, results, iterator2, mapFn);
			});
		}
		Object.assign(paginate, { iterator });
		function paginateRest(octokit) {
			return { paginate: Object.assign(paginate.bind(null, octokit), { iterator: iterator.bind(null, octokit) }) };
		}
		paginateRest.VERSION = plugin_paginate_rest_dist_bundle_VERSION;
		new Context();
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
		new Context();
		function getOctokit(token, options, ...additionalPlugins) {
			return new (GitHub.plugin(...additionalPlugins))(getOctokitOptions(token, options));
		}
		var dist = __nccwpck_require__(728);
		var domain_result = __nccwpck_require__(705);
		const ATTEMPT_MS = 3e4;
		const OVER = new DOMException("This attempt is over.", "AbortError");
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
		const LARGEST_BODY_BYTES = 10485760;
		function limitedFetch(fetch, onOversize) {
			return async (...args) => {
				const response = await fetch(...args);
				if (response.body === null) return response;
				let bytes = 0;
				const counter = new TransformStream({ transform(chunk, controller) {
					bytes += chunk.byteLength;
					if (bytes <= LARGEST_BODY_BYTES) return controller.enqueue(chunk);
					onOversize();
					controller.error(/* @__PURE__ */ new Error("the answer is larger than 10 MiB"));
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
			const secrets = part.length >= SHORTEST_SECRET_PART ? [secret, part] : [secret];
			const longestFirst = [...new Set(secrets.flatMap((s) => [
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
		var proxy_fault = __nccwpck_require__(667);
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
			["UND_ERR_BODY_TIMEOUT", ["unknown", "timeout"]]
		]);
		const NEVER_CONNECTED = /* @__PURE__ */ new Map([
			["ETIMEDOUT", "connect-timeout"],
			["EHOSTUNREACH", "other"],
			["ENETUNREACH", "other"],
			["EADDRNOTAVAIL", "other"]
		]);
		const CERTIFICATE = /^(?:(?:DEPTH_ZERO_)?SELF_SIGNED_CERT|UNABLE_TO_(?:GET|VERIFY|DECRYPT|DECODE)_|CERT_|CRL_|ERR_TLS_CERT|ERROR_IN_CERT|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED)/;
		const PROXY = {
			credentials: "proxy-credentials",
			refusal: "proxy",
			"no-connection": "proxy"
		};
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
			const syscall = property(error, "syscall");
			if (syscall === "getaddrinfo") return {
				sent: "no",
				cause: "dns",
				detail
			};
			const neverConnected = syscall === "connect" ? NEVER_CONNECTED.get(code) : void 0;
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
			const proxyFault = (0, proxy_fault.R)(error);
			if (proxyFault !== void 0) return {
				sent: "no",
				cause: PROXY[proxyFault],
				detail
			};
			const [sent, cause] = FAULTS.get(code) ?? ["unknown", "other"];
			return {
				sent,
				cause,
				detail
			};
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
		const HTTP_DATES = [
			/^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/,
			/^[A-Z][a-z]+day, \d\d-[A-Z][a-z]{2}-\d\d \d\d:\d\d:\d\d GMT$/,
			/^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/
		];
		const SECONDS = /^\d+(?:\.\d+)?$/;
		function parseRetryAfter(header, now) {
			const value = header?.trim() ?? "";
			const seconds = SECONDS.test(value) ? Number(value) : secondsUntil(value, now);
			return Number.isFinite(seconds) && seconds > 0 ? seconds : void 0;
		}
		function secondsUntil(value, now) {
			if (!HTTP_DATES.some((form) => form.test(value))) return NaN;
			return (Date.parse(value.endsWith("GMT") ? value : `${value} GMT`) - now.getTime()) / 1e3;
		}
		const Answered = dist.Ikc({
			status: dist.aig(),
			response: dist.Ikc({
				headers: dist.g1P(dist.YjP(), dist.L5J()),
				data: dist.L5J()
			})
		});
		const ErrorBody = dist.Ikc({
			message: dist.YjP(),
			errors: dist.lqM(dist.YOg(dist.L5J()))
		});
		const FIX = {
			certificate: "the certificate is not trusted; set NODE_EXTRA_CA_CERTS for a private certificate authority",
			"proxy-credentials": "the proxy requires a user name and a password; set HTTPS_PROXY to http://name:password@host:port",
			proxy: "the proxy could not connect; check HTTPS_PROXY and NO_PROXY, and what the proxy allows"
		};
		function failureOf(thrown, request, date) {
			const answered = dist.xLC(Answered, thrown);
			if (answered.success) return answeredFailure(answered.output, request, date);
			if (request.endedBy === "caller") return failure(request, {
				kind: "stopped",
				message: ""
			});
			if (request.endedBy === "deadline") return failure(request, {
				kind: "unreachable",
				message: "no response in time"
			}, { passing: true });
			const { sent, cause, detail } = readConnectionError(thrown);
			const fix = FIX[cause];
			return failure(request, {
				kind: "unreachable",
				message: fix === void 0 ? detail : `${fix} (${detail})`,
				mayHaveHappened: sent === "unknown"
			}, { passing: cause !== "certificate" && cause !== "proxy-credentials" });
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
			}, { passing: true });
		}
		function nonsense(request, status, message) {
			return failure(request, {
				kind: "nonsense",
				status,
				message
			});
		}
		function notJson(request, status) {
			return failure(request, {
				kind: "nonsense",
				status,
				message: "the answer is not JSON"
			}, { passing: true });
		}
		function answeredFailure({ status, response }, request, date) {
			const message = messageOf(response.data);
			const definite = {
				status,
				message,
				mayHaveHappened: false
			};
			const retryAfterSeconds = waitNamedBy(response.headers, date);
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
		function waitNamedBy(headers, date) {
			const named = headers["retry-after"];
			const after = parseRetryAfter(named === void 0 ? null : String(named), date);
			if (after !== void 0 || headers["x-ratelimit-remaining"] !== "0") return after;
			const reset = Number(headers["x-ratelimit-reset"] ?? NaN) - date.getTime() / 1e3;
			return Number.isFinite(reset) && reset > 0 ? reset : void 0;
		}
		function messageOf(data) {
			const body = dist.xLC(ErrorBody, data);
			if (!body.success) return "";
			const { message, errors = [] } = body.output;
			return [message, ...errors.map((error) => typeof error === "string" ? error : JSON.stringify(error))].join("; ");
		}
		const MAX_ATTEMPTS = 3;
		const UNNAMED_RATE_LIMIT_SECONDS = 60;
		const LONGEST_RATE_LIMIT_SECONDS = 60;
		const RATE_LIMIT_BUDGET_MS = 75e3;
		const PAUSE_AFTER_LOSS_MS = 3e3;
		const BACKOFF_SECONDS = [1, 3];
		function afterFailedSend(failure, repeatable, sends) {
			const isLimited = failure.error.kind === "rate-limited";
			const advised = failure.retryAfterSeconds ?? (isLimited ? UNNAMED_RATE_LIMIT_SECONDS : BACKOFF_SECONDS[sends - 1] ?? 3);
			const again = sends < MAX_ATTEMPTS && failure.passing && (repeatable || !failure.error.mayHaveHappened) && !(isLimited && advised > LONGEST_RATE_LIMIT_SECONDS);
			return {
				again,
				waitMs: Math.min(Math.max(advised, 1), 60) * 1e3,
				forAll: isLimited && again
			};
		}
		restoreEventPath();
		const API_VERSION = "2022-11-28";
		const LONGEST_MESSAGE = 300;
		function createGitHub(options) {
			const { token, environment, clock, debug } = options;
			const { owner, repo, graphqlUrl } = environment;
			const redact = redactor(token);
			const pause = createPause(clock, RATE_LIMIT_BUDGET_MS);
			const octokit = token === "" ? void 0 : quietOctokit(token, environment.apiUrl);
			async function attemptOnce(request, onStatus) {
				const { operation, permission, route, parameters, answer, signal } = request;
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
					let oversize = false;
					try {
						if (octokit === void 0) return (0, domain_result._)(failureOf({
							status: 401,
							response: {
								headers: {},
								data: { message: "the token is empty" }
							}
						}, failed(), clock.date()));
						const response = await octokit.request(route, {
							owner,
							repo,
							...parameters,
							headers: { "x-github-api-version": API_VERSION },
							request: {
								signal: attempt.signal,
								redirect: route.startsWith("GET ") ? "follow" : "manual",
								fetch: limitedFetch(options.fetch, () => {
									oversize = true;
								})
							}
						});
						const { status, headers } = response;
						onStatus(status);
						if (status >= 300) return (0, domain_result._)(nonsense(failed(), status, `a redirect, status ${status}`));
						if (oversize) return (0, domain_result._)(nonsense(failed(), status, "larger than 10 MiB"));
						const data = response.data;
						const parsed = dist.xLC(answer, data);
						if (parsed.success) return (0, domain_result.ok)({
							data: parsed.output,
							hasNextPage: /;\s*rel="?next"?/.test(headers.link ?? "")
						});
						if (data === "") return (0, domain_result._)(cutAnswer(failed(), status));
						if (typeof data === "string") return (0, domain_result._)(notJson(failed(), status));
						return (0, domain_result._)(nonsense(failed(), status, describe(parsed.issues)));
					} catch (thrown) {
						return (0, domain_result._)(failureOf(thrown, failed(), clock.date()));
					}
				});
			}
			async function tracedAttempt(request, sends) {
				const began = clock.now();
				let end = "";
				const result = await attemptOnce(request, (status) => {
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
			return {
				owner,
				repo,
				graphqlUrl,
				async ask(request) {
					const repeatable = request.repeatable ?? !request.route.startsWith("POST ");
					const { signal } = request;
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
					}, (sends) => tracedAttempt(request, sends));
					return answer.ok ? answer : (0, domain_result._)(presentable(answer.error.error, redact));
				},
				pauseAfterLoss: (signal) => clock.sleep(PAUSE_AFTER_LOSS_MS, signal)
			};
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
		function presentable(error, redact) {
			const line = redact(error.message).replace(/[\s\p{Cc}]+/gu, " ").trim();
			const message = line.length > LONGEST_MESSAGE ? `${line.slice(0, 299).toWellFormed()}…` : line;
			return {
				...error,
				message
			};
		}
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
			return `${dist.BuJ(issues[0]) ?? "the body"} is missing or malformed`;
		}
		var foreign_text = __nccwpck_require__(669);
		const FIXED_SEGMENTS = /* @__PURE__ */ new Set([
			"cancel",
			"findings",
			"projects",
			"publish",
			"repositories",
			"scan-presets",
			"scans",
			"token"
		]);
		function routeOf(path) {
			const [plain = ""] = path.split("?");
			return plain.split("/").map((segment) => segment === "" || FIXED_SEGMENTS.has(segment) ? segment : "{id}").join("/");
		}
		var severity = __nccwpck_require__(255);
		function decode(schema, json, place = "") {
			const result = dist.xLC(schema, json, { abortEarly: true });
			if (result.success) return (0, domain_result.ok)(result.output);
			const [issue] = result.issues;
			const member = [place, dist.BuJ(issue)].filter(Boolean).join(".") || "body";
			if (issue.received === "undefined") return (0, domain_result._)(`\`${member}\` is missing`);
			const wanted = issue.kind === "schema" && issue.type !== "custom" ? issue.expected : issue.message;
			return (0, domain_result._)(`\`${member}\` is not ${wanted}`);
		}
		function decodeEntries(json, list, schema, readable) {
			const decoded = decode(dist.Ikc({ [list]: dist.YOg(dist.L5J()) }), json);
			if (!decoded.ok) return decoded;
			return (0, domain_result.ok)((decoded.value[list] ?? []).map((item, index) => {
				const entry = decode(schema, item, `${list}.${index}`);
				if (entry.ok) return entry.value;
				const shown = dist.xLC(readable, item);
				return {
					fault: entry.error,
					readable: shown.success ? shown.output : {}
				};
			}));
		}
		function isRecord(value) {
			return typeof value === "object" && value !== null && !Array.isArray(value);
		}
		function firstOf(record, candidates, read) {
			for (const candidate of candidates) {
				const value = read(at(record, candidate));
				if (value !== void 0) return value;
			}
		}
		function allOf(record, candidates, read) {
			const values = candidates.map((candidate) => read(at(record, candidate)));
			return [...new Set(values.filter((value) => value !== void 0))];
		}
		const MEMBERS = /* @__PURE__ */ new Map();
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
		function whole(least) {
			return (value) => typeof value === "number" && Number.isSafeInteger(value) && value >= least ? value : void 0;
		}
		const share = (value) => {
			if (typeof value !== "number" || !(value >= 0 && value <= 100)) return void 0;
			return value <= 1 ? value : value / 100;
		};
		const ids = (value) => Array.isArray(value) ? value.flatMap((item) => lookup_text(item) ?? firstOf(item, ["id"], lookup_text) ?? []) : void 0;
		function pathsReader({ places }) {
			return (item) => {
				const paths = places.flatMap(([prefix, files]) => {
					if (prefix === "") return filesOf(item, files);
					const isList = prefix.endsWith(FIRST);
					const place = item[prefix.slice(0, isList ? -FIRST.length : -1)];
					if (isAbsent(place)) return [];
					if (!isList) return isRecord(place) ? filesOf(place, files) : [""];
					if (!Array.isArray(place)) return [""];
					return place.flatMap((entry) => {
						const named = isRecord(entry) ? filesOf(entry, files) : [];
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
					const start = firstOf(item, startLine, whole(1));
					const end = start === void 0 ? void 0 : firstOf(item, endLine, whole(start));
					return {
						path: firstOf(item, files, lookup_text),
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
		const LONGEST_ID = 256;
		function isUsableId(value) {
			return typeof value === "string" && value !== "" && value !== "." && value !== ".." && value.isWellFormed() && !/\p{Cc}/u.test(value) && (value.length <= LONGEST_ID || [...value].length <= LONGEST_ID);
		}
		function pathSegment(id) {
			if (!isUsableId(id)) throw new Error("an unusable id was about to become part of an address");
			return encodeURIComponent(id);
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
		const external_node_crypto_namespaceObject = createRequire(import.meta.url)("node:crypto");
		const CHOSEN_NAMES = {
			repositoryId: "repositoryId",
			presetRef: "presetRef",
			creditBudget: "creditBudget",
			baseSha: "baseCommit",
			headSha: "commit"
		};
		const LAUNCH_NAMES = {
			...CHOSEN_NAMES,
			areas: "auditAreaKeys",
			guidance: "guidance"
		};
		const COMPARED = [
			"creditBudget",
			"areas",
			"guidance"
		];
		function readLaunchParameters(given) {
			const removes = /* @__PURE__ */ new Set();
			const unreadable = /* @__PURE__ */ new Set();
			const read = (field, reader) => {
				const name = LAUNCH_NAMES[field];
				const value = firstOf(given, [name], reader);
				if (given[name] === null) removes.add(field);
				else if (value === void 0 && Object.hasOwn(given, name)) unreadable.add(field);
				return value;
			};
			const sets = {
				repositoryId: read("repositoryId", lookup_text),
				presetRef: read("presetRef", lookup_text),
				creditBudget: read("creditBudget", whole(0)),
				baseSha: read("baseSha", lookup_text),
				headSha: read("headSha", lookup_text),
				areas: read("areas", keyList),
				guidance: read("guidance", anyText)
			};
			const compared = COMPARED.map((field) => LAUNCH_NAMES[field]);
			return {
				given,
				sets,
				removes,
				unreadable,
				notCompared: Object.entries(given).flatMap(([name, value]) => compared.includes(name) ? [] : [value])
			};
		}
		function wire_writes_sentValue({ sets, removes }, field, chosen) {
			return removes.has(field) ? void 0 : sets[field] ?? chosen;
		}
		function launchBody(chosen, given, guidance) {
			const members = Object.entries({
				[CHOSEN_NAMES.repositoryId]: chosen.repositoryId,
				[CHOSEN_NAMES.presetRef]: chosen.presetRef,
				[CHOSEN_NAMES.creditBudget]: chosen.creditBudget,
				[CHOSEN_NAMES.baseSha]: chosen.baseSha,
				[CHOSEN_NAMES.headSha]: chosen.headSha,
				[LAUNCH_NAMES.guidance]: guidance,
				...given
			});
			return Object.fromEntries(members.filter(([, value]) => value !== void 0 && value !== null));
		}
		const keyList = (value) => {
			if (!Array.isArray(value)) return void 0;
			const keys = value.flatMap((item) => lookup_text(item) ?? []);
			return keys.length === value.length ? keys : void 0;
		};
		const anyText = (value) => typeof value === "string" ? value : void 0;
		function hashOfText(value) {
			return (0, external_node_crypto_namespaceObject.createHash)("sha256").update(value).digest("hex");
		}
		function publishBody(gated) {
			return { withPassword: gated };
		}
		const id = dist.IeY(isUsableId, "a usable id");
		const record = dist.IeY(isRecord, "an object");
		const count = dist.FsL(dist.aig(), dist.Y2b("a whole number"), dist.Wwf(0, "at least 0"));
		const refusal = dist.Ikc({ error: dist.Ikc({
			code: dist.YjP(),
			message: dist.L5J()
		}) });
		const string = dist.YjP();
		const shown = (member) => dist.NpB(dist.lqM(member), void 0);
		const repository = dist.Ikc({
			id,
			owner: string,
			name: string,
			url: string,
			status: string,
			readiness: string,
			defaultBranch: shown(string)
		});
		const preset = dist.Ikc({
			ref: id,
			name: string,
			minCredits: count,
			modelTier: shown(string),
			description: shown(string)
		});
		const shownRepository = dist.Ikc({
			id: shown(id),
			owner: shown(string),
			name: shown(string)
		});
		const shownPreset = dist.Ikc({
			ref: shown(id),
			name: shown(string)
		});
		const guidance = dist.Ikc({ content: dist.mee(string) });
		const page = dist.Ikc({
			items: dist.YOg(record),
			page: count,
			limit: dist.FsL(count, dist.Wwf(1, "at least 1")),
			total: count
		});
		const scanDetail = dist.Ikc({ scan: record });
		const findingDetail = dist.Ikc({ finding: record });
		const cancelled = dist.Ikc({ status: dist.euz("CANCELLED") });
		const published = dist.Ikc({
			publicId: id,
			accessPassword: dist.mee(dist.YjP())
		});
		function decodeRefusal(json) {
			const decoded = decode(refusal, json);
			if (!decoded.ok) return decoded;
			const { code, message } = decoded.value.error;
			return (0, domain_result.ok)({
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
			return decoded.ok ? (0, domain_result.ok)(decoded.value.content) : decoded;
		}
		function decodeScanPage(json) {
			return decodePage(json, readListedScan);
		}
		function decodeFindingPage(json) {
			return decodePage(json, readFinding);
		}
		function decodePage(json, readItem) {
			const decoded = decode(page, json);
			return decoded.ok ? (0, domain_result.ok)({
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
		const areaKeys = (value) => {
			if (!Array.isArray(value)) return void 0;
			const keys = value.flatMap((item) => lookup_text(item) ?? firstOf(item, ["key"], lookup_text) ?? []);
			return keys.length === value.length ? keys : void 0;
		};
		const GUIDANCE_SOURCES = /* @__PURE__ */ new Map([["repository", { from: "repository" }], ["scan", { from: "launch" }]]);
		const shownGuidance = (value) => {
			const shown = lookup_text(value);
			if (shown === void 0) return void 0;
			return GUIDANCE_SOURCES.get(shown) ?? {
				from: "unknown",
				hash: hashOfText(shown)
			};
		};
		const noGuidance = (value) => value === null || value === "" ? { from: "nowhere" } : void 0;
		const usableId = (value) => isUsableId(value) ? value : void 0;
		function decodeToken(json) {
			if (!isRecord(json)) return (0, domain_result._)("`body` is not an object");
			const names = ASSUMED.token;
			return (0, domain_result.ok)({
				projectId: firstOf(json, names.projectId, usableId),
				scopes: firstOf(json, names.scopes, ids),
				expiresAt: firstOf(json, names.expiresAt, lookup_text),
				spendLimit: firstOf(json, names.spendLimit, whole(0)),
				allowlist: firstOf(json, names.allowlist, ids)
			});
		}
		function decodeLaunched(json) {
			const [scanId, ...otherIds] = allOf(json, ASSUMED.launchedScan, usableId);
			return scanId === void 0 ? (0, domain_result._)("no readable scan id") : (0, domain_result.ok)({
				scanId,
				otherIds
			});
		}
		function decodeScan(json, askedFor) {
			const decoded = decode(scanDetail, json);
			if (!decoded.ok) return decoded;
			const { scan } = decoded.value;
			const names = ASSUMED.scan;
			const status = firstOf(scan, ["status"], lookup_text);
			if (status === void 0) return (0, domain_result._)("`scan.status` is not a string");
			if ((firstOf(scan, names.id, lookup_text) ?? askedFor) !== askedFor) return (0, domain_result._)("`scan` is another scan");
			const progress = scan["progress"];
			return (0, domain_result.ok)({
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
		function readListedScan(item) {
			return {
				...subjectOf(item),
				id: firstOf(item, ASSUMED.scan.id, usableId),
				status: firstOf(item, ["status"], lookup_text)
			};
		}
		function subjectOf(scan) {
			const names = ASSUMED.scan;
			return {
				repositoryId: firstOf(scan, names.repositoryId, lookup_text),
				presetRef: firstOf(scan, names.presetRef, lookup_text),
				baseSha: firstOf(scan, names.baseSha, commitId),
				headSha: firstOf(scan, names.headSha, commitId),
				createdAt: firstOf(scan, names.createdAt, lookup_text),
				creditBudget: firstOf(scan, names.creditBudget, whole(0)),
				areas: firstOf(scan, names.areas, areaKeys),
				guidance: firstOf(scan, names.guidance, shownGuidance) ?? firstOf(scan, names.guidance, noGuidance)
			};
		}
		const readTriage = triageReader(ASSUMED.triage);
		const readLocation = locationReader(ASSUMED.finding.location);
		const readPaths = pathsReader(ASSUMED.finding.location);
		const UNTITLED = "Untitled finding";
		function readFinding(item) {
			const names = ASSUMED.finding;
			const id = firstOf(item, names.id, usableId);
			const location = readLocation(item);
			const otherPaths = readPaths(item).filter((path) => path !== location?.path);
			return {
				id,
				label: `ZK-${id === void 0 ? "????????" : [...id].slice(-8).join("")}`,
				severity: (0, severity.xJ)(firstOf(item, ["severity"], lookup_text)),
				triage: firstOf(item, ["triageStatus"], readTriage),
				evidence: item["confirmationEvidence"] === null ? null : firstOf(item, ["confirmationEvidence"], word),
				resolution: firstOf(item, ["resolutionStatus"], lookup_text),
				title: firstOf(item, names.title, lookup_text) ?? UNTITLED,
				cwe: firstOf(item, names.cwe, cweNumber),
				location,
				...otherPaths.length === 0 ? {} : { otherPaths },
				url: firstOf(item, names.url, lookup_text),
				description: firstOf(item, names.description, lookup_text),
				recommendedFix: firstOf(item, names.recommendedFix, lookup_text),
				proofOfConcept: firstOf(item, names.proofOfConcept, lookup_text)
			};
		}
		function decodeFinding(json) {
			const decoded = decode(findingDetail, json);
			return decoded.ok ? (0, domain_result.ok)(readFinding(decoded.value.finding)) : decoded;
		}
		function createHttp(options) {
			const { baseUrl, token, clock } = options;
			const redact = redactor(token);
			async function request(call) {
				const { operation, method, path, body, signal } = call;
				const stopped = (sent) => (0, domain_result._)({
					kind: "stopped",
					operation,
					sent,
					by: (0, stop.w3)(signal) ?? "signal"
				});
				if (signal.aborted) return stopped("no");
				return withDeadline({
					clock,
					signal,
					ms: options.attemptTimeoutMs
				}, async (attempt) => {
					let oversize = false;
					const limited = limitedFetch(options.fetch, () => {
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
						if (endedBy === "deadline") return (0, domain_result._)({
							kind: "unreachable",
							operation,
							sent: "unknown",
							cause: "timeout",
							detail: "no complete response in time"
						});
						const { sent, cause, detail } = readConnectionError(thrown);
						return (0, domain_result._)({
							kind: "unreachable",
							operation,
							sent,
							cause,
							detail: (0, foreign_text.n)(redact(detail))
						});
					}
				});
			}
			async function readAnswer(operation, response, isOversize) {
				const { status } = response;
				const retryAfterSeconds = parseRetryAfter(response.headers.get("retry-after"), clock.date());
				const nonsense = (problem, detail) => (0, domain_result._)({
					kind: "nonsense",
					operation,
					status,
					problem,
					detail: (0, foreign_text.n)(redact(detail)),
					retryAfterSeconds
				});
				if (status >= 300 && status < 400 || response.type === "opaqueredirect") return nonsense("redirect", redirectTarget(response, baseUrl));
				const text = await response.text().catch((thrown) => {
					if (isOversize()) return void 0;
					throw thrown;
				});
				if (text === void 0) return nonsense("oversize", "more than 10 MiB");
				const json = parseJson(text, redact);
				if (json === void 0) return nonsense("not-json", bodyShown(text, options.showMessages));
				if (response.ok) return (0, domain_result.ok)({
					status,
					json: json.value,
					retryAfterSeconds
				});
				const refusal = decodeRefusal(json.value);
				if (!refusal.ok) return nonsense("wrong-shape", refusal.error);
				const { code, message } = refusal.value;
				return (0, domain_result._)({
					kind: "refused",
					operation,
					status,
					code,
					message: options.showMessages ? message : "",
					retryAfterSeconds,
					tooFresh: false
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
				case "nonsense": return `${error.status} ${error.problem}`;
				case "unreachable": return error.cause;
				case "stopped": return error.sent === "no" ? void 0 : "stopped";
			}
		}
		function parseJson(text, redact) {
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
		async function inPool(items, width, work) {
			const answers = [];
			const queue = items.entries();
			const worker = async () => {
				for (const [index, item] of queue) answers[index] = await work(item);
			};
			await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker));
			return answers;
		}
		const PAGE_LIMIT = 100;
		const MOST_PAGES = 1e3;
		const WIDTH = 4;
		const MOST_READINGS = 3;
		async function readAll(pages) {
			for (let reading = 1;; reading++) {
				const read = await readOnce(pages);
				if (!read.ok) return read;
				if (read.value !== "shifted") return (0, domain_result.ok)(read.value);
				if (reading === MOST_READINGS) return (0, domain_result._)(pages.nonsense("shifting-list", `not the same list from page to page, ${reading} times`));
				await pages.beforeReadingAgain();
			}
		}
		async function readOnce(pages) {
			const first = await readChecked(pages, 1);
			if (!first.ok) return first;
			const { total, limit } = first.value;
			const count = Math.max(1, Math.ceil(total / limit));
			if (count > MOST_PAGES) return (0, domain_result._)(pages.nonsense("wrong-shape", `a list of ${total} items in pages of ${limit}`));
			pages.onTotal?.(total);
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
			return (0, domain_result.ok)(steady && unique.length === total ? unique : "shifted");
		}
		async function readChecked(pages, number) {
			const page = await pages.readPage(number);
			if (!page.ok || page.value.page === number) return page;
			return (0, domain_result._)(pages.nonsense("wrong-shape", `page ${page.value.page} in the place of page ${number}`));
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
		function publicScanPage(baseUrl, publicId) {
			return `${baseUrl.replace(/\/api\/v1$/, "")}/public/scans/${pathSegment(publicId)}`;
		}
		const READ_ATTEMPTS = 4;
		const SEND_ATTEMPTS = 3;
		const SHORTEST_WAIT_MS = 1e3;
		const LONGEST_WAIT_MS = 6e4;
		const LARGEST_JITTER_MS = 19e3;
		function classify(error) {
			switch (error.kind) {
				case "stopped": return "stopped";
				case "unreachable":
					if (error.cause === "certificate" || error.cause === "proxy-credentials") return "definite";
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
		function waitAfterFailure(error, failures, random) {
			const advised = retryAfterOf(error);
			const jitter = random() * Math.min(LARGEST_JITTER_MS, 2 ** failures * 1e3);
			const wait = advised === void 0 ? SHORTEST_WAIT_MS + jitter : advised * 1e3;
			return Math.min(Math.max(wait, SHORTEST_WAIT_MS), LONGEST_WAIT_MS);
		}
		function afterFailedCall(error, made, { attempts, onceAccepted, random }) {
			const failure = classify(error);
			return {
				again: (failure === "not-sent" || failure === "rate-limited" || failure === "ambiguous" && !onceAccepted) && made < attempts,
				waitMs: waitAfterFailure(error, made, random),
				forAll: failure === "rate-limited"
			};
		}
		function retryAfterOf(error) {
			return error.kind === "refused" || error.kind === "nonsense" ? error.retryAfterSeconds : void 0;
		}
		const FRESH_MS = 3e4;
		const LIST_ATTEMPTS = 2;
		const SMALL_PAGE_LIMIT = 10;
		const LONG_LIST = 1e3;
		function createScanApi(options) {
			const { baseUrl, clock, random } = options;
			const http = createHttp(options);
			const pause = createPause(clock);
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
				return value.ok ? value : (0, domain_result._)(nonsense(operation, answer.status, "wrong-shape", value.error));
			}
			function repeated({ signal, attempts, onceAccepted = false, onThrottled }, call) {
				let turn;
				const afterFailure = (error, made) => {
					const after = afterFailedCall(error, made, {
						attempts,
						onceAccepted,
						random
					});
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
					return call(attempt);
				});
			}
			async function get(operation, path, decode, { attempts = READ_ATTEMPTS, scanId, ...call }) {
				const { signal } = call;
				return repeated({
					...call,
					attempts
				}, async (attempt) => {
					const answer = await http.request({
						operation,
						method: "GET",
						path,
						signal,
						attempt
					});
					if (!answer.ok) return (0, domain_result._)(freshened(answer.error, scanId));
					const value = decoded(operation, answer.value, decode(answer.value.json));
					return value.ok ? (0, domain_result.ok)({
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
				return answer.ok ? (0, domain_result.ok)(answer.value.value) : answer;
			};
			const project = (projectId) => `/projects/${pathSegment(projectId)}`;
			const scanPath = (projectId, scanId) => `${project(projectId)}/scans/${pathSegment(scanId)}`;
			const getScan = (projectId, scanId, attempts, { signal }) => {
				const decode = (json) => decodeScan(json, scanId);
				return get("read the scan", scanPath(projectId, scanId), decode, {
					attempts,
					scanId,
					signal
				});
			};
			return {
				token: (call) => value(get("check the API token", "/token", decodeToken, call)),
				repositories: (projectId, call) => value(get("list the repositories", `${project(projectId)}/repositories`, decodeRepositories, call)),
				presets: (projectId, call) => value(get("list the presets", `${project(projectId)}/scan-presets`, decodePresets, call)),
				guidance: (projectId, repositoryId, call) => {
					const path = `${project(projectId)}/repositories/${pathSegment(repositoryId)}/guidance`;
					return value(get("read the stored guidance", path, decodeGuidance, call));
				},
				async scans(projectId, { signal }) {
					const query = new URLSearchParams({
						page: "1",
						limit: String(PAGE_LIMIT)
					});
					const path = `${project(projectId)}/scans?${query}`;
					const page = await value(get("list the scans", path, decodeScanPage, {
						attempts: LIST_ATTEMPTS,
						signal
					}));
					if (!page.ok) return page;
					const { items: scans, total } = page.value;
					return (0, domain_result.ok)({
						scans,
						complete: scans.length >= total
					});
				},
				async launch(projectId, body, { signal }) {
					const operation = "launch the scan";
					const path = `${project(projectId)}/scans`;
					const answer = await http.request({
						operation,
						method: "POST",
						path,
						body,
						signal,
						attempt: 1
					});
					if (!answer.ok) return answer;
					const { status, json } = answer.value;
					if (status !== 202) return (0, domain_result._)(nonsense(operation, status, "wrong-shape", `HTTP ${status}, not 202`));
					const launched = decoded(operation, answer.value, decodeLaunched(json));
					if (!launched.ok) return launched;
					for (const id of [launched.value.scanId, ...launched.value.otherIds]) acceptedAt.set(id, clock.now());
					return launched;
				},
				async scan(projectId, scanId, call) {
					const answer = await getScan(projectId, scanId, 1, call);
					if (!answer.ok) return answer;
					const { value: scan, retryAfterSeconds } = answer.value;
					return (0, domain_result.ok)({
						scan,
						retryAfterMs: retryAfterSeconds === void 0 ? void 0 : retryAfterSeconds * 1e3
					});
				},
				readScan: (projectId, scanId, call) => value(getScan(projectId, scanId, READ_ATTEMPTS, call)),
				cancel: (projectId, scanId, { signal }) => repeated({
					signal,
					attempts: READ_ATTEMPTS
				}, async (attempt) => {
					const operation = "cancel the scan";
					const path = `${scanPath(projectId, scanId)}/cancel`;
					const answer = await http.request({
						operation,
						method: "POST",
						path,
						signal,
						attempt
					});
					if (!answer.ok) return (0, domain_result._)(freshened(answer.error, scanId));
					const done = decoded(operation, answer.value, decodeCancelled(answer.value.json));
					return done.ok ? (0, domain_result.ok)(void 0) : done;
				}),
				async findings(projectId, scanId, { signal }) {
					const operation = "list the findings";
					const readList = (limit) => readAll({
						readPage: (page) => {
							const query = new URLSearchParams({
								scanId,
								page: String(page),
								limit: String(limit)
							});
							return value(get(operation, `${project(projectId)}/findings?${query}`, decodeFindingPage, {
								scanId,
								signal
							}));
						},
						idOf: ({ id }) => id,
						onTotal: (total) => {
							if (total > LONG_LIST) options.onLongList?.();
						},
						beforeReadingAgain: () => clock.sleep(1e3 + random() * 1e3, signal),
						nonsense: (problem, detail) => nonsense(operation, 200, problem, detail)
					});
					const list = await readList(PAGE_LIMIT);
					return !list.ok && list.error.kind === "nonsense" && list.error.problem === "oversize" ? readList(SMALL_PAGE_LIMIT) : list;
				},
				async sampleFindings(projectId, { signal }) {
					const query = new URLSearchParams({
						page: "1",
						limit: String(SMALL_PAGE_LIMIT)
					});
					const path = `${project(projectId)}/findings?${query}`;
					const page = await value(get("list the findings", path, decodeFindingPage, {
						attempts: LIST_ATTEMPTS,
						signal
					}));
					return page.ok ? (0, domain_result.ok)(page.value.items) : page;
				},
				async finding(projectId, findingId, call) {
					const operation = "read a finding";
					const path = `${project(projectId)}/findings/${pathSegment(findingId)}`;
					const answer = await value(get(operation, path, decodeFinding, call));
					return answer.ok && answer.value.id !== void 0 && answer.value.id !== findingId ? (0, domain_result._)(nonsense(operation, 200, "wrong-shape", "`finding` is another finding")) : answer;
				},
				publish: (projectId, scanId, gated, { signal }) => repeated({
					signal,
					attempts: SEND_ATTEMPTS,
					onceAccepted: true
				}, async (attempt) => {
					const operation = "publish the scan";
					const path = `${scanPath(projectId, scanId)}/publish`;
					const body = publishBody(gated);
					const answer = await http.request({
						operation,
						method: "POST",
						path,
						body,
						signal,
						attempt
					});
					if (!answer.ok) return answer;
					const published = decoded(operation, answer.value, decodePublished(answer.value.json));
					if (!published.ok) return published;
					return (0, domain_result.ok)({
						...published.value,
						gated,
						url: publicScanPage(baseUrl, published.value.publicId)
					});
				})
			};
		}
		var target = __nccwpck_require__(157);
		function planBase(headSha, input, { given, sets, removes, unreadable }) {
			const head = sets.headSha?.toLowerCase() ?? headSha;
			if (unreadable.has("headSha") || head !== headSha) return (0, domain_result._)(OTHER_COMMIT);
			const sentIds = new Set(commitIdsIn(given));
			if (removes.has("headSha") && !sentIds.has(headSha)) return (0, domain_result._)(HEAD_NOT_SENT);
			if (removes.has("baseSha")) {
				const [renamed, ...more] = [...sentIds].filter((id) => id !== headSha);
				return more.length > 0 ? (0, domain_result._)(SEVERAL_BASES) : (0, domain_result.ok)(renamed ?? input);
			}
			if (unreadable.has("baseSha")) return (0, domain_result._)(NO_COMMIT_ID);
			if (sets.baseSha === void 0) return (0, domain_result.ok)(input);
			const base = sets.baseSha.toLowerCase();
			return (0, target.j)(base) ? (0, domain_result.ok)(base) : (0, domain_result._)(NO_COMMIT_ID);
		}
		function commitIdsIn(value) {
			if (typeof value === "string") return (0, target.j)(value.toLowerCase()) ? [value.toLowerCase()] : [];
			return value instanceof Object ? Object.values(value).flatMap(commitIdsIn) : [];
		}
		const OTHER_COMMIT = {
			reason: "configuration",
			cause: "`launch-parameters` sets `commit` to a value that is not the head SHA.",
			nextStep: "Remove `commit` from `launch-parameters` and push. If the service uses another field name, set `commit` to `null` and that field to the head SHA."
		};
		const HEAD_NOT_SENT = {
			reason: "configuration",
			cause: "`launch-parameters` removes `commit`, and no other value in it is the head SHA.",
			nextStep: "Add the field that the service uses for the head and push. Its value is `github.event.pull_request.head.sha`, or `github.sha` on other events."
		};
		const SEVERAL_BASES = {
			reason: "configuration",
			cause: "`launch-parameters` removes `baseCommit` and has several commit SHAs besides the head SHA.",
			nextStep: "Keep one commit SHA besides the head SHA, as the base, and push."
		};
		const NO_COMMIT_ID = {
			reason: "configuration",
			cause: "`launch-parameters` sets `baseCommit` to a value that is not a full commit SHA.",
			nextStep: "Use all 40 or 64 hexadecimal digits, or remove `baseCommit` from `launch-parameters` to use the merge base. Then push."
		};
		function splitEntries(entries) {
			const sound = [];
			const malformed = [];
			for (const entry of entries) if ("fault" in entry) malformed.push(entry);
			else sound.push(entry);
			return {
				sound,
				malformed
			};
		}
		const MOST_SHOWN = 20;
		function listed(values) {
			const shown = values.slice(0, MOST_SHOWN).map((word) => (0, foreign_text.n)(word));
			const more = values.length - shown.length;
			return `${shown.join(", ")}${more > 0 ? `, and ${more} more` : ""}`;
		}
		const faultsOf = (entries) => listed(entries.map(({ fault }) => fault));
		function malformedCandidate(list, entries, fix) {
			return {
				reason: "service-error",
				cause: `The service returned a malformed list of ${list}: ${faultsOf(entries)}.`,
				nextStep: `${fix} and push, or re-run this job later. If it fails again, contact the service's support.`
			};
		}
		function leftOutSentence(entries) {
			return entries.length === 0 ? "" : ` Malformed entries were ignored: ${faultsOf(entries)}.`;
		}
		function repositoryById(entries, wanted) {
			const { sound, malformed } = splitEntries(entries);
			const doubtful = malformed.filter(({ readable }) => readable.id === wanted);
			if (doubtful.length > 0) return (0, domain_result._)(malformedCandidate("repositories", doubtful, ""));
			return (0, domain_result.ok)(sound.find(({ id }) => id === wanted));
		}
		function repository_entry_repositoryFault(repository, wanted) {
			if (repository === void 0) return notListed(wanted);
			if (repository.status === "ACTIVE") return void 0;
			return {
				reason: "configuration",
				cause: `The repository \`${(0, foreign_text.n)(wanted)}\` is ${(0, foreign_text.n)(repository.status, 60)} in the service, not ACTIVE.`,
				nextStep: "Ask a project admin of the service to restore it, or set `repository-id` to another repository and push."
			};
		}
		function notListed(wanted) {
			return {
				reason: "configuration",
				cause: `The project does not list the repository \`${(0, foreign_text.n)(wanted)}\`.`,
				nextStep: "Ask a project admin of the service to add it to the project and to the token's allowlist, or fix `repository-id` and push."
			};
		}
		function findRepository(entries, wanted) {
			const { repositoryId } = wanted;
			const chosen = repositoryId === void 0 ? repositoryByName(entries, wanted) : repositoryById(entries, repositoryId);
			if (!chosen.ok) return chosen;
			if (chosen.value !== void 0) return (0, domain_result.ok)(chosen.value);
			const missing = notListed(calledIn(wanted));
			return (0, domain_result._)({
				...missing,
				cause: `${missing.cause}${leftOutSentence(splitEntries(entries).malformed)}`
			});
		}
		function calledIn({ repositoryId, owner, name }) {
			return repositoryId ?? `${owner}/${name}`;
		}
		function repositoryByName(entries, wanted) {
			const { sound, malformed } = splitEntries(entries);
			const doubtful = malformed.filter(({ readable }) => mayBeCalled(readable, wanted));
			if (doubtful.length > 0) return (0, domain_result._)(malformedCandidate("repositories", doubtful, "Set `repository-id` to the id of this repository in the service"));
			const { owner, name, serverUrl } = wanted;
			const same = sound.filter((repository) => mayBeCalled(repository, wanted));
			if (same.length <= 1) return (0, domain_result.ok)(same[0]);
			const here = same.filter(({ url }) => hostOf(url) === hostOf(serverUrl));
			if (here.length === 1) return (0, domain_result.ok)(here[0]);
			return (0, domain_result._)({
				reason: "configuration",
				cause: `The project has ${same.length} repositories named \`${(0, foreign_text.n)(`${owner}/${name}`)}\`.`,
				nextStep: `Set \`repository-id\` in the workflow and push. Use one of: ${listed(same.map(({ id, url }) => `${id} (${url})`))}.`
			});
		}
		function mayBeCalled(readable, wanted) {
			const { owner, name } = readable;
			if (owner === void 0 && name === void 0) return false;
			return sameWord(owner ?? wanted.owner, wanted.owner) && sameWord(name ?? wanted.name, wanted.name);
		}
		function sameWord(a, b) {
			return a.toLowerCase() === b.toLowerCase();
		}
		function hostOf(address) {
			const scpLike = /^[^/@:\s]+@([^/:\s]+):/.exec(address);
			if (scpLike !== null) return scpLike[1]?.toLowerCase();
			const url = URL.parse(address);
			return url === null || url.host === "" ? void 0 : url.host.toLowerCase();
		}
		const CHECK_STATUS = "Check the service's status page, then re-run this job. If it fails again, check `base-url`.";
		const NONSENSE = {
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
				cause: `Could not ${error.operation}: ${cause} (${error.detail}).`,
				nextStep
			};
		}
		const LONGEST_CODE = 60;
		const SETTINGS = "the project's integration settings";
		const SCOPE_OF = /* @__PURE__ */ new Map([
			["launch the scan", "scans:launch"],
			["cancel the scan", "scans:launch"],
			["publish the scan", "publish"]
		]);
		const SUPPORT = "Re-run this job later. If it fails again, contact the service's support.";
		const ROWS = /* @__PURE__ */ new Map([
			["unauthorized", () => ({
				reason: "configuration",
				cause: "The service rejected `api-token`: it is invalid, expired or revoked, or its project is archived.",
				nextStep: "Ask a project admin of the service for a new token, update the secret, then re-run this job. Also check that `base-url` is the service that issued the token."
			})],
			["forbidden", (error) => missingScope(SCOPE_OF.get(error.operation) ?? "read")],
			["not_found", (error) => ({
				reason: "configuration",
				cause: `Could not ${error.operation}: the service did not find what the request names${said(error)}.`,
				nextStep: "Check `project-id` and `repository-id`. If they are correct, ask a project admin of the service whether `api-token` can access them."
			})],
			["insufficient_credits", (_error, { creditBudget }) => ({
				reason: "insufficient-credits",
				cause: `The organization's credits in the scanning service do not cover this scan (${budgetOf(creditBudget)}).`,
				nextStep: `Ask an organization admin of the service to add credits, then re-run this job.${creditBudget === void 0 ? "" : " Or lower `credit-budget` in the workflow, down to the preset's minimum, and push."}`
			})],
			["rate_limited", (error, context) => rateLimited(error, context)],
			["diff_base_required", (error) => ({
				reason: "configuration",
				cause: `The preset needs a base commit, and the service received none${said(error)}.`,
				nextStep: "Check that `launch-parameters` does not remove or rename `baseCommit`. Or set `base-commit`. On `schedule` and `workflow_dispatch`, set `preset` to one that is not a diff preset. Then push."
			})],
			["diff_base_not_allowed", (error) => ({
				reason: "configuration",
				cause: `The preset does not accept a base commit, so it would scan more than this change${said(error)}.`,
				nextStep: "Set `preset` to a diff preset in the workflow and push."
			})],
			["diff_base_invalid", (error) => ({
				reason: "configuration",
				cause: `The service does not know the base commit${said(error)}.`,
				nextStep: "If `base-commit` is set, check that it is a commit of this repository. Check that `repository-id` is this repository in the service."
			})],
			["diff_empty", (error) => ({
				reason: "configuration",
				cause: `The service found no change between the base and the scanned commit${said(error)}.`,
				nextStep: "Check which commit the service scans. If it does not read the field `commit`, set the field that it reads in `launch-parameters` and push."
			})],
			["repository_initializing", () => ({
				reason: "initializing",
				cause: "The scanning service is still analyzing this repository for the first time.",
				nextStep: STILL_INITIALIZING
			})],
			["conflict", (error) => ({
				reason: "service-error",
				cause: `Could not ${error.operation}: another request changed the same data at the same time${said(error)}.`,
				nextStep: "Re-run this job."
			})],
			["bad_request", (error) => ({
				reason: "configuration",
				cause: `Could not ${error.operation}: the service rejected the request as invalid${said(error)}.`,
				nextStep: "Check `preset`, `credit-budget` and `base-commit`. If the service uses another name for a field, set that name in `launch-parameters`. Then push."
			})],
			["internal", (error) => ({
				reason: "service-error",
				cause: `Could not ${error.operation}: the service returned an internal error${said(error)}.`,
				nextStep: SUPPORT
			})]
		]);
		function explain_error_explainApiError(error, context = {}) {
			switch (error.kind) {
				case "refused": return (ROWS.get(error.code) ?? unknownCode)(error, context);
				case "nonsense": return error.status === 429 ? rateLimited(error, context) : explainNonsense(error);
				case "unreachable": return explainUnreachable(error);
				case "stopped": return (0, stop.cV)(error.by, `it could ${error.operation}`);
			}
		}
		const STILL_INITIALIZING = "Re-run this job when the repository is ready in the service. To wait longer, raise the input `timeout-minutes` in the workflow and push.";
		function missingScope(scope) {
			return {
				reason: "configuration",
				cause: `The API token is missing the \`${scope}\` scope.`,
				nextStep: `Ask a project admin of the service for a token with the \`${scope}\` scope, update the secret, then re-run this job.`
			};
		}
		function rateLimited(error, context) {
			const wait = error.retryAfterSeconds;
			const advice = wait === void 0 ? "" : ` The service asks to wait ${duration(wait)}.`;
			const launch = error.operation === "launch the scan";
			return {
				reason: "rate-limited",
				cause: `Could not ${error.operation}: the API token reached its ${launch ? "rate limit or its spend limit" : "rate limit"}.${advice}${launch ? spendLimitOf(context) : ""}`,
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
		function said({ code, message }) {
			const line = (0, foreign_text.n)(message);
			const name = (0, foreign_text.n)(code, LONGEST_CODE).replaceAll("`", "'");
			return line === "" ? ` (\`${name}\`)` : ` (\`${name}\`: "${line}")`;
		}
		function budgetOf(credits) {
			return credits === void 0 ? "budget: the service's default" : `budget: ${credits} credits`;
		}
		function duration(seconds) {
			if (seconds < 120) return `${Math.ceil(seconds)} s`;
			if (seconds < 7200) return `${Math.ceil(seconds / 60)} minutes`;
			return seconds < 172800 ? `${Math.ceil(seconds / 3600)} hours` : `${Math.ceil(seconds / 86400)} days`;
		}
		function explainRead(failure) {
			if (failure.kind !== "stopped" || failure.by !== "timeout") return explain_error_explainApiError(failure);
			return {
				reason: "timeout",
				cause: `The doctor reached its time limit before it could ${failure.operation}.`,
				nextStep: "Check the service's status page, then run the doctor again."
			};
		}
		function fixerOf(failure) {
			switch (failure.kind) {
				case "refused": return failure.status === 429 || failure.status >= 500 ? "Support of the service" : "Project admin of the service";
				case "nonsense": return failure.status >= 500 ? "Support of the service" : "Workflow maintainer";
				case "unreachable": return failure.cause === "reset" || failure.cause === "timeout" || failure.cause === "other" ? "Support of the service" : "Admin of the runner";
				case "stopped": return "Workflow maintainer";
			}
		}
		var doctor_row = __nccwpck_require__(945);
		function addressRows(baseUrl, proxy, service) {
			if (proxy.fault !== void 0) return [(0, doctor_row.Mz)("Address", proxy.fault, "Admin of the runner")];
			if (service === void 0) return [(0, doctor_row.hT)("Address", "Not checked: fix the inputs first.")];
			const { token } = service;
			if (!token.ok && token.error.kind !== "refused") return [(0, doctor_row.Mz)("Address", explainRead(token.error), fixerOf(token.error))];
			const transport = baseUrl.startsWith("https:") ? "over TLS" : "over http on this machine";
			const way = proxy.variable === void 0 ? "" : ` ${(0, doctor_row.aY)(proxy.variable)} is set.`;
			return [(0, doctor_row.ok)("Address", `${(0, doctor_row.aY)(baseUrl)} answers JSON ${transport}.${way}`)];
		}
		const REPORT = "Open an issue in the Scangate repository with the names that the service uses, or compare its OpenAPI file by `npm run contract`.";
		const LOST = "a launch whose answer is lost ends as `launch-unknown`";
		function assumptionRows(service) {
			const scans = service?.lists?.scans;
			const { scan, findings } = service ?? {};
			return [
				rowOf("Scan list", scans, ({ scans: items }) => items.length === 0 ? void 0 : listAssumptions(items)),
				rowOf("Scan detail", scans?.ok && scans.value.scans.length === 0 ? NO_SCAN : scan, detailAssumptions),
				rowOf("Findings", findings, (items) => items.length === 0 ? void 0 : findingAssumptions(items))
			];
		}
		const NO_SCAN = {
			ok: true,
			value: void 0
		};
		function rowOf(check, read, assumptionsOf) {
			if (read === void 0) return (0, doctor_row.hT)(check, "Not checked: it was not read.");
			if (!read.ok) {
				const { cause, nextStep } = explainRead(read.error);
				return (0, doctor_row.$e)(check, cause, fixerOf(read.error), nextStep);
			}
			const assumptions = assumptionsOf(read.value);
			if (assumptions === void 0) return (0, doctor_row.hT)(check, "The service has none to look at yet. Run the doctor again after the first scan.");
			const [shown, hidden] = [true, false].map((is) => assumptions.filter(({ isShown }) => isShown === is));
			const shows = shown?.length === 0 ? "Shows nothing of use." : `Shows ${namesOf(shown)}.`;
			const harmless = hidden?.filter(({ otherwise }) => otherwise === "") ?? [];
			const harmful = hidden?.filter(({ otherwise }) => otherwise !== "") ?? [];
			const unneeded = harmless.length === 0 ? "" : ` Does not show ${namesOf(harmless)}, which nothing needs.`;
			if (harmful.length === 0) return (0, doctor_row.ok)(check, `${shows}${unneeded}`);
			const effects = harmful.map(({ what, otherwise }) => ` No ${what}: ${otherwise}.`).join("");
			return (0, doctor_row.$e)(check, `${shows}${unneeded}${effects}`, "Workflow maintainer", REPORT);
		}
		function namesOf(assumptions = []) {
			return assumptions.map(({ what }) => what).join(", ");
		}
		function listAssumptions(scans) {
			const some = (isShown) => scans.some(isShown);
			return [
				{
					what: "id",
					isShown: scans.every(({ id }) => id !== void 0),
					otherwise: LOST
				},
				{
					what: "commit",
					isShown: some(({ headSha }) => headSha !== void 0),
					otherwise: "the log cannot name scans of the same commit that are not used"
				},
				{
					what: "base",
					isShown: some(({ baseSha }) => baseSha !== void 0),
					otherwise: "after a lost answer, scans from other bases are read too"
				},
				{
					what: "preset",
					isShown: some(({ presetRef }) => presetRef !== void 0),
					otherwise: "after a lost answer, scans by other presets are read too"
				},
				{
					what: "repository",
					isShown: some(({ repositoryId }) => repositoryId !== void 0),
					otherwise: "after a lost answer, scans of other repositories are read too"
				},
				{
					what: "time",
					isShown: some(({ createdAt }) => createdAt !== void 0),
					otherwise: ""
				}
			];
		}
		function detailAssumptions(scan) {
			if (scan === void 0) return void 0;
			const { headSha, baseSha, progress } = scan;
			return [
				{
					what: "commit",
					isShown: headSha !== void 0,
					otherwise: `the report says "commit not confirmed by the service", and ${LOST}`
				},
				{
					what: "base",
					isShown: baseSha !== void 0,
					otherwise: `unless it is a full scan, ${LOST}`
				},
				{
					what: "phases",
					isShown: progress.phasesTotal !== void 0,
					otherwise: "the log shows no progress, and an incomplete scan is not noticed"
				}
			];
		}
		function findingAssumptions(findings) {
			const total = findings.length;
			const lacking = (isLacking) => findings.filter(isLacking);
			const unplaced = lacking(({ location }) => location === void 0).length;
			const unknown = lacking(({ severity }) => severity.level === "unknown");
			const named = [...new Set(unknown.map(({ severity }) => severity.word))].map((word) => (0, doctor_row.aY)(word || "(none)"));
			return [
				{
					what: "id",
					isShown: lacking(({ id }) => id === void 0).length === 0,
					otherwise: "findings have no link to the service, and details are not read"
				},
				{
					what: "title",
					isShown: lacking(({ title }) => title === UNTITLED).length === 0,
					otherwise: `a finding is called "${UNTITLED}"`
				},
				{
					what: "place",
					isShown: unplaced < total,
					otherwise: "no line is annotated, findings are listed only"
				},
				{
					what: "known severity",
					isShown: unknown.length === 0,
					otherwise: `${unknown.length} of ${total} findings have ${listed(named)}, which counts as above \`critical\``
				}
			];
		}
		function causeOf({ kind, operation, status, message }) {
			const said = message === "" ? "" : ` (${message})`;
			return `Could not ${operation}: ${CAUSES[kind].replace("STATUS", `${status}`)}${said}.`;
		}
		function fixOf({ kind, permission }) {
			switch (kind) {
				case "forbidden": return permission.endsWith(": write") ? `On \`pull_request\`, GitHub gives forks a read-only token. In all other cases, add \`${permission}\` to the job's \`permissions\` and push.` : `Add \`${permission}\` to the job's \`permissions\` and push.`;
				case "not-found": return `If it exists, add \`${permission}\` to the job's \`permissions\` and push.`;
				case "unauthorized": return "Check `github-token`. The token of an app expires after one hour.";
				case "rate-limited": return "Re-run this job later, or set `github-token` to a token that has not reached its rate limit.";
				case "refused": return "If GitHub's answer does not help, please open an issue in the Scangate repository.";
				case "nonsense": return "Check GITHUB_API_URL, and whether a proxy answered instead of GitHub.";
				case "unreachable": return "Re-run this job. If it fails again, check the runner's network and GitHub's status page.";
				case "stopped": return "";
			}
		}
		const CAUSES = {
			forbidden: "GitHub denied access",
			"not-found": "GitHub returned 404, which can also mean that the token has no access",
			unauthorized: "GitHub rejected the token",
			"rate-limited": "the token reached its GitHub rate limit",
			refused: "GitHub returned STATUS",
			nonsense: "the response is not what GitHub's API documents",
			unreachable: "GitHub could not be reached",
			stopped: "the job was stopped first"
		};
		function githubRows(github) {
			if (github === void 0) return [(0, doctor_row.$e)("Comparison", "GitHub was not asked: there is no token for it.", WORKFLOW, "Give a token for GitHub that may read this repository.")];
			const { defaultBranch, branch, comparison, checkRuns } = github;
			if (!defaultBranch.ok) return [unread("Comparison", defaultBranch.error)];
			if (branch?.ok === false) return [unread("Comparison", branch.error)];
			return [comparisonRow(comparison), checkRunsRow(checkRuns)];
		}
		const WORKFLOW = "Workflow maintainer";
		function comparisonRow(comparison) {
			if (comparison === void 0) return (0, doctor_row.hT)("Comparison", "Not checked: the default branch was not read.");
			if (comparison.ok) return (0, doctor_row.ok)("Comparison", "GitHub compares commits: merge bases can be found.");
			const fault = comparison.error;
			switch (fault.kind) {
				case "unavailable": return unread("Comparison", fault.error);
				case "stopped": return (0, doctor_row.z3)("Comparison", "The time was over before GitHub compared commits.", WORKFLOW, AGAIN);
				case "no-common-ancestor":
				case "unknown-commit": return (0, doctor_row.$e)("Comparison", "This commit and the default branch have no common ancestor on GitHub.", WORKFLOW, "Run the doctor on a branch that was made from the default branch.");
			}
		}
		function checkRunsRow(checkRuns) {
			if (checkRuns === void 0) return (0, doctor_row.hT)("Check runs", "Not checked: the default branch was not read.");
			if (!checkRuns.ok) return unread("Check runs", {
				...checkRuns.error,
				permission: "checks: read"
			});
			return (0, doctor_row.ok)("Check runs", "Readable. The gate itself needs `checks: write`, which a read cannot prove.");
		}
		const AGAIN = "Re-run this job.";
		function unread(check, failure) {
			const who = failure.kind === "unreachable" ? "Admin of the runner" : WORKFLOW;
			return (0, doctor_row.z3)(check, causeOf(failure), who, fixOf(failure) || AGAIN);
		}
		const SHOWN_HASH_DIGITS = 8;
		const LONGEST_GUIDANCE = 1e5;
		function composeGuidance(stored, file) {
			const text = stored?.trim() ?? "";
			if (text === "" || text === file.trim()) return file;
			return `${text}\n\n${file}`;
		}
		function countCharacters(text) {
			let count = 0;
			for (const _ of text) count += 1;
			return count;
		}
		const BlobAnswer = dist.Ikc({
			encoding: dist.euz("base64"),
			content: dist.YjP()
		});
		async function readBlob(github, sha, signal) {
			const answer = await github.ask({
				operation: "read a file of the repository",
				permission: "contents: read",
				route: "GET /repos/{owner}/{repo}/git/blobs/{file_sha}",
				parameters: { file_sha: sha },
				answer: BlobAnswer,
				signal
			});
			return answer.ok ? (0, domain_result.ok)(Buffer.from(answer.value.data.content, "base64")) : answer;
		}
		const KINDS = /* @__PURE__ */ new Map([
			["100644", "file"],
			["100755", "file"],
			["040000", "folder"],
			["120000", "symlink"],
			["160000", "submodule"]
		]);
		const ObjectId = dist.FsL(dist.YjP(), dist.z6Y(target.j, "not a full object id"));
		const TreeAnswer = dist.Ikc({
			tree: dist.FsL(dist.YOg(dist.Ikc({
				path: dist.FsL(dist.YjP(), dist.yGV(/^[^/]+$/)),
				mode: dist.YjP(),
				sha: ObjectId,
				size: dist.lqM(dist.aig())
			})), dist.z6Y((entries) => new Set(entries.map(({ path }) => path)).size === entries.length)),
			truncated: dist.euz(false)
		});
		async function readTree(github, sha, signal) {
			const answer = await github.ask({
				operation: "read a folder of the repository",
				permission: "contents: read",
				route: "GET /repos/{owner}/{repo}/git/trees/{tree_sha}",
				parameters: { tree_sha: sha },
				answer: TreeAnswer,
				signal
			});
			if (!answer.ok) return answer;
			return (0, domain_result.ok)(new Map(answer.value.data.tree.map(({ path, mode, sha: id, size }) => [path, {
				kind: KINDS.get(mode) ?? "other",
				mode,
				sha: id,
				size
			}])));
		}
		function git_tree_identityOf(entry) {
			return `${entry?.mode} ${entry?.sha}`;
		}
		async function findEntry({ github, signal }, commitSha, path, ...like) {
			const names = path.split("/");
			const trail = [];
			let sha = commitSha;
			for (const [depth, name] of names.entries()) {
				const tree = await readTree(github, sha, signal);
				if (!tree.ok) return tree;
				const entry = tree.value.get(name);
				if (entry === void 0) return (0, domain_result.ok)({
					entry: void 0,
					trail
				});
				trail.push(entry);
				if (git_tree_identityOf(entry) === git_tree_identityOf(like[depth])) return (0, domain_result.ok)({
					entry: entryAt(like, names),
					trail: like
				});
				if (depth < names.length - 1 && entry.kind !== "folder") return (0, domain_result.ok)({
					entry: void 0,
					trail
				});
				sha = entry.sha;
			}
			return (0, domain_result.ok)({
				entry: entryAt(trail, names),
				trail
			});
		}
		function entryAt(trail, names) {
			return trail[names.length - 1];
		}
		const MOST_BYTES = 4 * LONGEST_GUIDANCE;
		async function readGuidanceFile({ github, signal }, path, commitSha) {
			if (commitSha === void 0) return (0, domain_result._)(COMMIT_UNKNOWN);
			const where = `\`${path}\` at commit \`${commitSha.slice(0, 7)}\` of the base side`;
			const found = await findEntry({
				github,
				signal
			}, commitSha, path);
			if (!found.ok) return (0, domain_result._)(unreadable(where, found.error, signal));
			const { entry, trail } = found.value;
			if (entry === void 0) return (0, domain_result._)(absent(where));
			if (entry.kind !== "file") return (0, domain_result._)(wrong(where, guidance_file_KINDS[entry.kind], USE_A_FILE));
			if ((entry.size ?? 0) > MOST_BYTES) return (0, domain_result._)(tooLong(where));
			const bytes = await readBlob(github, entry.sha, signal);
			if (!bytes.ok) return (0, domain_result._)(unreadable(where, bytes.error, signal));
			const text = guidance_file_decode(bytes.value);
			if (text === void 0) return (0, domain_result._)(wrong(where, "not UTF-8 text", "Save it as UTF-8"));
			if (text.trim() === "") return (0, domain_result._)(wrong(where, "empty", "Write the guidance into it"));
			const characters = countCharacters(text);
			if (characters > LONGEST_GUIDANCE) return (0, domain_result._)(tooLong(where));
			const hash = (0, external_node_crypto_namespaceObject.createHash)("sha256").update(text).digest("hex");
			return (0, domain_result.ok)({
				path,
				commitSha,
				characters,
				hash,
				text,
				trail
			});
		}
		function guidance_file_decode(bytes) {
			let text;
			try {
				text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
			} catch {}
			return text;
		}
		function withStoredGuidance({ path, text }, stored) {
			const whole = composeGuidance(stored, text);
			return countCharacters(whole) > LONGEST_GUIDANCE ? (0, domain_result._)(tooLong(`\`${path}\` with the stored guidance`)) : (0, domain_result.ok)(whole);
		}
		function tooLong(what) {
			return wrong(what, `longer than ${LONGEST_GUIDANCE} characters`, "Shorten the file");
		}
		function wrong(where, what, next) {
			return {
				reason: "configuration",
				cause: `The guidance file ${where} is ${what}.`,
				nextStep: `${next} in the base branch, then re-run this job.`
			};
		}
		const USE_A_FILE = "Put a regular file there";
		const guidance_file_KINDS = {
			folder: "a folder, not a file",
			symlink: "a symlink, not a file",
			submodule: "a submodule, not a file",
			other: "not a regular file"
		};
		function absent(where) {
			return {
				reason: "configuration",
				cause: `There is no file ${where}. Scangate never reads \`guidance-file\` from the change itself.`,
				nextStep: "Check the path. If the file is new, merge it into the base branch first, and set `guidance-file` after that."
			};
		}
		const COMMIT_UNKNOWN = {
			reason: "service-error",
			cause: "Could not read the newest commit of the base branch, so `guidance-file` could not be read.",
			nextStep: "Re-run this job. If it fails again, add `contents: read` to its `permissions` and push."
		};
		function unreadable(where, error, signal) {
			const cause = `Could not read the guidance file ${where}. ${causeOf(error)}`;
			switch (error.kind) {
				case "stopped": return (0, stop.cV)((0, stop.w3)(signal) ?? "signal", "it read the guidance file");
				case "forbidden":
				case "not-found": return {
					reason: "configuration",
					cause,
					nextStep: "Add `contents: read` to the job's `permissions` and push. A re-run keeps the old permissions."
				};
				case "unauthorized": return {
					reason: "configuration",
					cause,
					nextStep: fixOf(error)
				};
				default: return {
					reason: "service-error",
					cause,
					nextStep: fixOf(error)
				};
			}
		}
		function guidanceRows(guidance) {
			if (guidance === void 0) return [];
			const { file, stored } = guidance;
			if (file === void 0) return [(0, doctor_row.hT)("Guidance", "Not checked: the default branch was not read.")];
			if (!file.ok) return [problem(file.error, "Workflow maintainer")];
			const { path, commitSha, characters, hash } = file.value;
			const what = `${(0, doctor_row.aY)(path)} at \`${commitSha.slice(0, 7)}\` has ${characters} characters, SHA-256 \`${hash.slice(0, SHOWN_HASH_DIGITS)}\`.`;
			if (stored === void 0) return [(0, doctor_row.hT)("Guidance", `${what} The stored guidance was not read.`)];
			if (!stored.ok) return [problem(stored.error, "Project admin of the service")];
			const text = withStoredGuidance(file.value, stored.value);
			if (!text.ok) return [problem(text.error, "Workflow maintainer")];
			return [(0, doctor_row.ok)("Guidance", `${what} With the stored guidance, the gate sends ${countCharacters(text.value)} characters.`)];
		}
		function guidanceText(guidance) {
			if (!guidance?.file?.ok || !guidance.stored?.ok) return void 0;
			const text = withStoredGuidance(guidance.file.value, guidance.stored.value);
			return text.ok ? text.value : void 0;
		}
		function problem(stop, who) {
			const row = (0, doctor_row.Mz)("Guidance", stop, who);
			return stop.reason === "configuration" ? row : {
				...row,
				level: "warning"
			};
		}
		function givenProject(given) {
			return isUsableId(given) ? (0, domain_result.ok)(given) : (0, domain_result._)(unusableProjectId);
		}
		function projectOf({ projectId }) {
			return projectId === void 0 ? (0, domain_result._)(projectNotShown) : (0, domain_result.ok)(projectId);
		}
		async function readLists(api, projectId, signal) {
			const [repositories, presets, scans] = await Promise.all([
				api.repositories(projectId, { signal }),
				api.presets(projectId, { signal }),
				api.scans(projectId, { signal })
			]);
			return {
				repositories,
				presets,
				scans
			};
		}
		const unusableProjectId = {
			reason: "configuration",
			cause: "`project-id` is not a valid id.",
			nextStep: "Copy the id from the project's settings in the service, or remove the input. Then push."
		};
		const projectNotShown = {
			reason: "configuration",
			cause: "The service does not show which project `api-token` belongs to.",
			nextStep: "Set `project-id` to the project's id in the workflow and push."
		};
		const DIFF = /(?<!\p{L})diff(?!\p{L})/iu;
		const PRESETS = {
			diff: {
				one: "diff preset",
				none: "no preset that looks like a diff preset",
				several: "presets that look like diff presets"
			},
			full: {
				one: "preset for full scans",
				none: "no preset besides diff presets",
				several: "presets that do not look like diff presets"
			}
		};
		function preset_choosePreset(entries, ref, kind = "diff") {
			const { sound: presets, malformed } = splitEntries(entries);
			const isMeant = (shown) => ref === void 0 ? isOfKind(shown, kind) : shown.ref === ref;
			const { one, none, several } = PRESETS[kind];
			const doubtful = malformed.filter(({ readable }) => isMeant(readable));
			if (doubtful.length > 0) {
				const fix = `Set \`preset\` to the ref of ${ref === void 0 ? "the" : "another"} ${one}`;
				return (0, domain_result._)(malformedCandidate("presets", doubtful, fix));
			}
			const matching = presets.filter(isMeant);
			const candidates = ref === void 0 ? matching : matching.slice(0, 1);
			const [preset, ...others] = candidates;
			const all = presets.length === 0 ? "none" : listed(presets.map(({ ref, name }) => `${ref} (${name})`));
			if (preset !== void 0 && others.length === 0) return kind === "full" && looksLikeDiff(preset) ? (0, domain_result._)(diffPresetForAll(preset, all)) : (0, domain_result.ok)(preset);
			const cause = ref !== void 0 ? `The project has no preset with the ref \`${(0, foreign_text.n)(ref)}\`.` : preset === void 0 ? `The project has ${none}.` : `The project has ${candidates.length} ${several}.`;
			return (0, domain_result._)({
				reason: "configuration",
				cause: `${cause}${leftOutSentence(malformed)}`,
				nextStep: `Set \`preset\` to the ref of a ${one} and push. The project's presets: ${all}.`
			});
		}
		function looksLikeDiff({ ref = "", name = "" }) {
			return DIFF.test(ref) || DIFF.test(name);
		}
		function isOfKind(shown, kind) {
			if (kind === "diff") return looksLikeDiff(shown);
			return (shown.ref !== void 0 || shown.name !== void 0) && !looksLikeDiff(shown);
		}
		function diffPresetForAll({ ref }, all) {
			return {
				reason: "configuration",
				cause: `The preset \`${(0, foreign_text.n)(ref)}\` scans a change, but this event scans all files of the commit.`,
				nextStep: `Set \`preset\` to a preset of another kind and push. The project's presets: ${all}.`
			};
		}
		function preset_chooseBudget(wanted, preset) {
			const { minCredits } = preset;
			if (wanted === void 0) return (0, domain_result.ok)(minCredits === 0 ? void 0 : minCredits);
			if (wanted >= minCredits) return (0, domain_result.ok)(wanted);
			return (0, domain_result._)({
				reason: "configuration",
				cause: `The budget of ${wanted} credits is below the minimum of preset \`${(0, foreign_text.n)(preset.ref)}\` (${minCredits} credits).`,
				nextStep: `Set \`credit-budget\` to ${minCredits} or more, or remove it to use the minimum. Then push.`
			});
		}
		const EXPIRY_NOTICE_MS = 6048e5;
		function token_check_otherProject(token, projectId) {
			if (token.projectId === void 0 || token.projectId === projectId) return void 0;
			return {
				reason: "configuration",
				cause: `\`api-token\` belongs to project \`${(0, foreign_text.n)(token.projectId)}\`, but \`project-id\` is \`${(0, foreign_text.n)(projectId)}\`.`,
				nextStep: "Fix or remove `project-id` in the workflow and push, or update the secret with a token of that project."
			};
		}
		function token_check_scopeFaults(token, willPublish) {
			const { scopes } = token;
			if (scopes === void 0) return [];
			return [
				"read",
				"scans:launch",
				...willPublish ? ["publish"] : []
			].filter((scope) => !scopes.includes(scope)).map(missingScope);
		}
		function parametersFault({ unreadable }) {
			const names = [...unreadable].filter((field) => field !== "headSha").map((field) => LAUNCH_NAMES[field]);
			if (names.length === 0) return void 0;
			return {
				reason: "configuration",
				cause: `\`launch-parameters\` has fields of the wrong type: ${names.join(", ")}.`,
				nextStep: "Use strings for ids, commits and guidance, a list of strings for audit areas, a whole number for the budget, and `null` to leave a field out."
			};
		}
		async function readStoredGuidance(api, projectId, repositoryId, signal) {
			const read = await api.guidance(projectId, repositoryId, { signal });
			if (read.ok) return read;
			const stop = explain_error_explainApiError(read.error);
			const cause = `${stop.cause} Scangate composes \`guidance-file\` with that text, so nothing was launched.`;
			return (0, domain_result._)(stop.bySignal === true ? stop : {
				...stop,
				cause
			});
		}
		function refuseTwoGuidances(guidanceFile, { given }) {
			return guidanceFile !== void 0 && Object.hasOwn(given, LAUNCH_NAMES.guidance) ? TWO_GUIDANCES : void 0;
		}
		const TWO_GUIDANCES = {
			reason: "configuration",
			cause: "`guidance-file` is set, and `launch-parameters` has `guidance` too.",
			nextStep: "Keep one of them in the workflow and push."
		};
		const WITH = "Fix the input in the workflow of the gate, and here.";
		function inputRows({ inputs, faults, missing, notices }, parameters, headSha) {
			const stops = [
				parametersFault(parameters),
				refuseTwoGuidances(inputs.guidanceFile, parameters),
				headSha === "" ? void 0 : baseFault()
			];
			const rows = [
				...[...faults, ...missing].map((sentence) => (0, doctor_row.z3)("Inputs", sentence, "Workflow maintainer", WITH)),
				...inputs.apiToken === "" ? [NO_TOKEN] : [],
				...stops.flatMap((stop) => stop === void 0 ? [] : [(0, doctor_row.Mz)("Inputs", stop, "Workflow maintainer")]),
				...notices.map((sentence) => (0, doctor_row.$e)("Inputs", sentence, "Workflow maintainer", WITH))
			];
			return rows.length > 0 ? rows : [(0, doctor_row.ok)("Inputs", "All inputs are valid.")];
			function baseFault() {
				const planned = planBase(headSha, inputs.baseSha, parameters);
				return planned.ok ? void 0 : planned.error;
			}
		}
		const NO_TOKEN = (0, doctor_row.z3)("Inputs", "`api-token` is empty.", "Workflow maintainer", "Check that the secret exists and its name matches. Run the doctor on `workflow_dispatch`, because GitHub passes no secrets to forks and Dependabot.");
		const MERGE_BASE = "the merge base";
		const HEAD = "the head commit";
		const PLACEHOLDERS = /* @__PURE__ */ new Set([MERGE_BASE, HEAD]);
		const HASH_DIGITS = 8;
		function launchRow(repository, chosen, givenBase, { given, removes }, guidance) {
			if (repository === void 0 || chosen === void 0) return (0, doctor_row.hT)("Launch request", "Not known: the repository or the preset was not found.");
			const scan = {
				repositoryId: repository.id,
				presetRef: chosen.preset.ref,
				creditBudget: chosen.creditBudget,
				baseSha: givenBase ?? MERGE_BASE,
				headSha: HEAD
			};
			const fields = Object.entries(launchBody(scan, given, guidance)).map(([name, value]) => Object.hasOwn(given, name) ? describeGiven(name, value) : describeChosen(name, value));
			const removed = [...removes].map((field) => (0, doctor_row.aY)(LAUNCH_NAMES[field]));
			const without = removed.length === 0 ? "" : ` \`launch-parameters\` removes ${removed.join(", ")}.`;
			return (0, doctor_row.ok)("Launch request", `${fields.join(", ")}.${without}`);
		}
		function describeChosen(name, value) {
			if (name === LAUNCH_NAMES.guidance) return describeText(name, String(value));
			return `${(0, doctor_row.aY)(name)}: ${PLACEHOLDERS.has(value) ? String(value) : (0, doctor_row.aY)(String(value))}`;
		}
		function describeGiven(name, value) {
			if (name !== LAUNCH_NAMES.guidance || typeof value !== "string") return `${(0, doctor_row.aY)(name)}: from \`launch-parameters\``;
			return describeText(name, value);
		}
		function describeText(name, value) {
			const hash = hashOfText(value).slice(0, HASH_DIGITS);
			return `${(0, doctor_row.aY)(name)}: a text of ${[...value].length} characters, SHA-256 ${(0, doctor_row.aY)(hash)}…`;
		}
		const preset_rows_MOST_SHOWN = 20;
		const LONGEST_DESCRIPTION = 120;
		function chosenPreset(service, { ref, creditBudget }) {
			const presets = service?.lists?.presets;
			const preset = presets?.ok ? preset_choosePreset(presets.value, ref) : void 0;
			const budget = preset?.ok ? preset_chooseBudget(creditBudget, preset.value) : void 0;
			return preset?.ok && budget?.ok ? {
				preset: preset.value,
				creditBudget: budget.value
			} : void 0;
		}
		function presetRows(service, question) {
			const presets = service?.lists?.presets;
			if (presets === void 0) return [(0, doctor_row.hT)("Preset", "Not checked: the presets were not read.")];
			if (!presets.ok) return [(0, doctor_row.Mz)("Preset", explainRead(presets.error), fixerOf(presets.error))];
			const { sound, malformed } = splitEntries(presets.value);
			const diff = preset_choosePreset(presets.value, question.ref, "diff");
			const full = preset_choosePreset(presets.value, question.ref, "full");
			const more = sound.length - preset_rows_MOST_SHOWN;
			return [
				...sound.slice(0, preset_rows_MOST_SHOWN).map((preset) => (0, doctor_row.ok)("Preset", preset_rows_describe(preset))),
				...more > 0 ? [(0, doctor_row.ok)("Preset", `${more} more are not shown here.`)] : [],
				...malformed.slice(0, preset_rows_MOST_SHOWN).map(({ fault }) => (0, doctor_row.$e)("Preset", `The service lists a preset that is not as documented: ${fault}.`, "Support of the service", "Ask for presets as version 1 of the API documents them.")),
				pullRequestRow(diff, full, question.ref),
				scheduleRow(full),
				...budgetRows(diff, full, question)
			];
		}
		function preset_rows_describe({ ref, name, minCredits, modelTier, description }) {
			const minimum = minCredits === 0 ? "no minimum of its own" : `at least ${minCredits} credits`;
			const tier = modelTier === void 0 ? "" : `, model tier ${(0, doctor_row.aY)(modelTier)}`;
			const about = description === void 0 ? "" : ` ${(0, foreign_text.n)(description, LONGEST_DESCRIPTION)}`;
			return `${(0, doctor_row.aY)(ref)} (${(0, foreign_text.n)(name)}): ${minimum}${tier}.${about}`;
		}
		function pullRequestRow(diff, full, ref) {
			if (!diff.ok) return (0, doctor_row.Mz)("Pull request", diff.error, "Workflow maintainer");
			const shown = (0, doctor_row.aY)(diff.value.ref);
			if (ref !== void 0 && full.ok && !looksLikeDiff(diff.value)) return (0, doctor_row.$e)("Pull request", `It would take ${shown}, whose name does not say that it scans a change. Any other preset refuses a base commit.`, "Workflow maintainer", "Check that this preset is a diff preset. On `schedule` and `workflow_dispatch` any other one is right.");
			return (0, doctor_row.ok)("Pull request", `It takes ${shown}. So do merge groups and pushes.`);
		}
		function scheduleRow(full) {
			if (full.ok) return (0, doctor_row.ok)("Schedule", `It takes ${(0, doctor_row.aY)(full.value.ref)}. So does \`workflow_dispatch\`.`);
			return (0, doctor_row.hT)("Schedule", `Not possible with these inputs, and only a workflow on \`schedule\` or \`workflow_dispatch\` needs it. ${full.error.cause}`);
		}
		function budgetRows(diff, full, { creditBudget }) {
			const choices = [diff, full].flatMap((choice) => choice.ok ? [choice.value] : []);
			const presets = [...new Map(choices.map((preset) => [preset.ref, preset])).values()];
			if (presets.length === 0) return [(0, doctor_row.hT)("Budget", "Not checked: no preset was chosen.")];
			return presets.map((preset, index) => {
				const budget = preset_chooseBudget(creditBudget, preset);
				if (!budget.ok && index > 0) return (0, doctor_row.hT)("Budget", `Not possible on a schedule. ${budget.error.cause}`);
				if (!budget.ok) return (0, doctor_row.Mz)("Budget", budget.error, "Workflow maintainer");
				const credits = budget.value === void 0 ? "the default of the service" : `${budget.value} credits`;
				return (0, doctor_row.ok)("Budget", `One scan by ${(0, doctor_row.aY)(preset.ref)} reserves ${credits}.`);
			});
		}
		const ADMIN = "Project admin of the service";
		function repositoryRows(service, found, wanted, github) {
			const list = service?.lists?.repositories;
			if (list !== void 0 && !list.ok) return [(0, doctor_row.Mz)("Repository", explainRead(list.error), fixerOf(list.error))];
			if (found === void 0) return [(0, doctor_row.hT)("Repository", "Not checked: the repositories were not read.")];
			if (!found.ok) return [(0, doctor_row.Mz)("Repository", found.error, ADMIN)];
			return [stateRow(found.value, wanted), defaultBranchRow(found.value, github)];
		}
		function stateRow(repository, wanted) {
			const fault = repository_entry_repositoryFault(repository, calledIn(wanted));
			if (fault !== void 0) return (0, doctor_row.Mz)("Repository", fault, ADMIN);
			const { id, owner, name, readiness } = repository;
			const called = `${(0, doctor_row.aY)(`${owner}/${name}`)} is ${(0, doctor_row.aY)(id)} in the service`;
			return readiness === "ready" ? (0, doctor_row.ok)("Repository", `${called}, ACTIVE and ready.`) : (0, doctor_row.$e)("Repository", `${called}. It is not ready: ${(0, doctor_row.aY)(readiness)}.`, "Support of the service", "Wait until the service has analyzed the repository. A scan waits for it too, and ends as `initializing` if it takes longer than `timeout-minutes`.");
		}
		function defaultBranchRow({ defaultBranch }, github) {
			if (defaultBranch === void 0) return (0, doctor_row.hT)("Default branch", "The service shows no default branch.");
			if (github === void 0 || !github.defaultBranch.ok) return (0, doctor_row.hT)("Default branch", `${(0, doctor_row.aY)(defaultBranch)} in the service. GitHub was not read.`);
			const { value } = github.defaultBranch;
			return value === defaultBranch ? (0, doctor_row.ok)("Default branch", `${(0, doctor_row.aY)(value)} in the service and on GitHub.`) : (0, doctor_row.$e)("Default branch", `${(0, doctor_row.aY)(defaultBranch)} in the service, ${(0, doctor_row.aY)(value)} on GitHub. Audit areas are read from the branch of the service.`, ADMIN, "Set the default branch of the repository in the service to that of GitHub.");
		}
		const Rules = dist.YOg(dist.NpB(dist.Ikc({
			type: dist.YjP(),
			parameters: dist.lqM(dist.L5J())
		}), { type: "" }));
		const StatusChecks = dist.Ikc({ required_status_checks: dist.YOg(dist.Ikc({ context: dist.YjP() })) });
		async function readBranchRules(github, branch, signal) {
			const rules = await github.ask({
				operation: "read the rules of the base branch",
				permission: "metadata: read",
				route: "GET /repos/{owner}/{repo}/rules/branches/{branch}",
				parameters: {
					branch,
					per_page: 100
				},
				answer: Rules,
				signal
			});
			return rules.ok ? (0, domain_result.ok)({
				rules: rules.value.data,
				complete: !rules.value.hasNextPage
			}) : rules;
		}
		function requiredChecks(rules) {
			return rules.flatMap(({ type, parameters }) => type === "required_status_checks" && dist.is(StatusChecks, parameters) ? parameters.required_status_checks.map(({ context }) => context) : []);
		}
		function requireMore(rules) {
			return rules.some(({ type, parameters }) => type === "" || type === "workflows" || type === "required_status_checks" && !dist.is(StatusChecks, parameters));
		}
		const USES_GATE = /^uses:\s*['"]?[\w.-]+\/scangate@/;
		const MENTIONS_GATE = /\buses['"]?\s*:\s*['"]?[\w.-]+\/scangate@/;
		const JOB = /^(['"]?)([A-Za-z_][\w-]*)\1:\s*$/;
		const KEY = /^(['"]?)([A-Za-z][\w-]*)\1:(?:\s+(.*?))?\s*$/;
		function gateJobsOf({ path, text }) {
			const lines = text.split(/\r?\n/).map((line) => line.replace(/(?:^|\s)#.*$/, "")).filter((line) => line.trim() !== "");
			const events = eventsOf(sectionOf(lines, "on"));
			const runs = {
				runsInQueue: /\bmerge_group\b/.test(events),
				runsOnPullRequests: /\bpull_request(?:_target)?\b/.test(events),
				isCallable: /\bworkflow_call\b/.test(events)
			};
			return jobsIn(sectionOf(lines, "jobs")).filter(({ body }) => body.some((line) => MENTIONS_GATE.test(line))).map((job) => ({
				path,
				name: checkNameOf(job),
				...runs
			}));
		}
		function sectionOf(lines, key) {
			const start = lines.findIndex((line) => new RegExp(`^(['"]?)${key}\\1:`).test(line));
			if (start < 0) return [];
			const length = lines.slice(start + 1).findIndex((line) => /^[^\s-]/.test(line));
			return lines.slice(start, length < 0 ? void 0 : start + 1 + length);
		}
		function eventsOf([first = "", ...others]) {
			const indent = indentOf(others[0]);
			return [first, ...others.filter((line) => indentOf(line) === indent)].join("\n");
		}
		function jobsIn([first = "", ...lines]) {
			if (!(/^\S+:\s*$/.test(first) && !lines.some((line) => /^ *\t/.test(line)))) return [{
				id: void 0,
				body: [first, ...lines]
			}];
			const indent = indentOf(lines[0]);
			const starts = lines.flatMap((line, index) => indentOf(line) <= indent ? [index] : []);
			return starts.map((start, number) => {
				const id = JOB.exec(lines[start]?.trim() ?? "")?.[2];
				const body = lines.slice(start, starts[number + 1]);
				return {
					id,
					body: id === void 0 ? body : body.slice(1)
				};
			});
		}
		function checkNameOf({ id, body }) {
			const indent = indentOf(body[0]);
			const keys = /* @__PURE__ */ new Map();
			for (const [index, line] of body.entries()) {
				if (indentOf(line) > indent || /^ *-(?:\s|$)/.test(line)) continue;
				const [, , key, value = ""] = KEY.exec(line.trim()) ?? [];
				if (key === void 0) return void 0;
				const next = body.slice(index + 1);
				const length = next.findIndex((one) => indentOf(one) <= indent && !/^ *-(?:\s|$)/.test(one));
				keys.set(key, {
					value,
					below: next.slice(0, length < 0 ? void 0 : length)
				});
			}
			const runsGate = keysOfSteps(keys.get("steps")?.below ?? []).some((key) => USES_GATE.test(key));
			if (id === void 0 || !runsGate || keys.has("strategy")) return void 0;
			const name = keys.get("name");
			if (name === void 0) return id;
			return name.below.length > 0 ? void 0 : plainText(name.value);
		}
		function keysOfSteps(lines) {
			const dash = indentOf(lines[0]);
			let column;
			return lines.flatMap((line) => {
				const start = indentOf(line) === dash ? /^ *-( +|$)/.exec(line) : null;
				if (start !== null) {
					column = start[1] === "" ? void 0 : start[0].length;
					return [line.slice(start[0].length)];
				}
				column ??= indentOf(line);
				return indentOf(line) === column ? [line.trim()] : [];
			});
		}
		function plainText(value) {
			const single = /^'((?:[^']|'')*)'$/.exec(value)?.[1]?.replaceAll("''", "'");
			const double = /^"([^"\\]*)"$/.exec(value)?.[1];
			const plain = /^[^-?:,[\]{}#&*!|>'"%@`~]/.test(value) && !/:(?:\s|$)/.test(value) ? value : void 0;
			const text = single ?? double ?? plain;
			return text === void 0 || text === "" || text.includes("${{") ? void 0 : text;
		}
		function indentOf(line = "") {
			return /^ */.exec(line)?.[0].length ?? 0;
		}
		const required_rows_ADMIN = "Repository admin on GitHub";
		const MAINTAINER = "Workflow maintainer";
		function requiredRows(github, checkName) {
			if (github?.branch === void 0 || !github.defaultBranch.ok) return [(0, doctor_row.hT)("Required check", "Not checked: the default branch was not read.")];
			const { rules, branch, workflows } = github;
			if (rules?.ok === false) return [{
				...unread("Required check", rules.error),
				level: "warning"
			}];
			if (!branch.ok || rules === void 0) return [(0, doctor_row.hT)("Required check", "Not checked: the default branch was not read.")];
			if (workflows?.ok === false) return [{
				...unread("Required check", workflows.error),
				level: "warning"
			}];
			const { requiredChecks: classic } = branch.value;
			const required = [.../* @__PURE__ */ new Set([...requiredChecks(rules.value.rules), ...classic ?? []])];
			const jobs = workflows?.ok ? workflows.value.files.flatMap(gateJobsOf).filter(isForChanges) : [];
			const requirement = {
				branch: github.defaultBranch.value,
				required,
				isWhole: rules.value.complete && workflows?.value.complete === true && !requireMore(rules.value.rules) && !(classic === void 0 && branch.value.isProtected),
				jobs,
				checkName
			};
			const hasQueue = rules.value.rules.some(({ type }) => type === "merge_queue");
			if (!hasQueue && !rules.value.complete) return [requiredRow(requirement), QUEUE_UNKNOWN];
			return [requiredRow(requirement), queueRow(requirement, hasQueue)];
		}
		const QUEUE_UNKNOWN = (0, doctor_row.hT)("Merge queue", "It is unknown whether there is one: GitHub lists too many rules.");
		function isForChanges({ runsInQueue, runsOnPullRequests }) {
			return runsInQueue || runsOnPullRequests;
		}
		function isRequired({ name, isCallable }, required) {
			if (name === void 0) return false;
			return required.some((one) => one === name || isCallable && one.endsWith(` / ${name}`));
		}
		function requiredRow({ branch, required, isWhole, jobs, checkName }) {
			const check = "Required check";
			const job = jobs.find((one) => isRequired(one, required));
			if (job !== void 0) return (0, doctor_row.ok)(check, `${(0, doctor_row.aY)(branch)} requires the job ${(0, doctor_row.aY)(job.name ?? "")}.`);
			const names = jobs.flatMap(({ name }) => name ?? []);
			const require = `Make ${names[0] === void 0 ? "the job of the gate" : `the job ${(0, doctor_row.aY)(names[0])}`} a required status check of ${(0, doctor_row.aY)(branch)} (Settings → Rules → Rulesets).`;
			if (required.includes(checkName)) {
				const text = `${(0, doctor_row.aY)(branch)} requires the check run ${(0, doctor_row.aY)(checkName)}, not the job. Every workflow that may write checks can write a check run of this name.`;
				return (0, doctor_row.z3)(check, text, required_rows_ADMIN, `${require} Then remove the check run from the list.`);
			}
			const list = required.length === 0 ? "no status check" : listed(required.map(doctor_row.aY));
			if (jobs.length === 0) {
				const text = `No workflow on ${(0, doctor_row.aY)(branch)} runs the gate on pull requests, as far as its files show. The branch requires ${list}.`;
				return (0, doctor_row.$e)(check, text, MAINTAINER, `Commit the workflow of the gate. ${require}`);
			}
			if (!isWhole || names.length < jobs.length) {
				const text = `It is unknown whether ${(0, doctor_row.aY)(branch)} requires the job. It requires ${list}, as far as GitHub shows it.`;
				return (0, doctor_row.$e)(check, text, required_rows_ADMIN, `Check it in the settings. ${require}`);
			}
			const text = `${(0, doctor_row.aY)(branch)} does not require the job, so a failed job does not block a merge. It requires ${list}.`;
			return (0, doctor_row.$e)(check, text, required_rows_ADMIN, require);
		}
		function queueRow({ branch, required, jobs }, hasQueue) {
			const check = "Merge queue";
			if (!hasQueue) return (0, doctor_row.ok)(check, `No ruleset of ${(0, doctor_row.aY)(branch)} has a merge queue.`);
			if (jobs.some(({ runsInQueue }) => runsInQueue)) return (0, doctor_row.ok)(check, `The workflow of the gate runs on \`merge_group\`.`);
			const what = "Add `merge_group:` to the events of the workflow, as docs/merge-queue.md shows.";
			if (jobs.some((job) => isRequired(job, required))) {
				const text = `${(0, doctor_row.aY)(branch)} has a merge queue, and the required job does not run on \`merge_group\`: the queue waits for it until its timeout.`;
				return (0, doctor_row.z3)(check, text, MAINTAINER, what);
			}
			const text = `${(0, doctor_row.aY)(branch)} has a merge queue, and no workflow of the gate runs on \`merge_group\`: the queue merges without it.`;
			return (0, doctor_row.$e)(check, text, MAINTAINER, what);
		}
		const token_rows_ADMIN = "Project admin of the service";
		const NEW_TOKEN = "Create a new token in the integration settings of the project, and update the secret.";
		const DAY_MS = 864e5;
		function tokenRows(service, question) {
			if (service === void 0) return [(0, doctor_row.hT)("Token", "Not checked: fix the inputs first.")];
			const { token } = service;
			if (!token.ok) return [token.error.kind === "refused" ? (0, doctor_row.Mz)("Token", explainRead(token.error), fixerOf(token.error)) : (0, doctor_row.hT)("Token", "Not checked: the service cannot be reached."), ...projectRows(service)];
			const { value } = token;
			return [
				(0, doctor_row.ok)("Token", "The service accepts `api-token`."),
				...projectRows(service),
				...scopeRows(value, question.willPublish),
				expiryRow(value, question),
				spendLimitRow(value, question),
				allowlistRow(value, question)
			];
		}
		function projectRows({ token, projectId }) {
			if (projectId === void 0) return [(0, doctor_row.hT)("Project", "Not checked: the token was not read.")];
			if (!projectId.ok) return [(0, doctor_row.Mz)("Project", projectId.error, "Workflow maintainer")];
			const mismatch = token.ok ? token_check_otherProject(token.value, projectId.value) : void 0;
			if (mismatch !== void 0) return [(0, doctor_row.Mz)("Project", mismatch, "Workflow maintainer")];
			return [(0, doctor_row.ok)("Project", `${(0, doctor_row.aY)(projectId.value)}.`)];
		}
		function scopeRows(token, willPublish) {
			const missing = token_check_scopeFaults(token, willPublish);
			if (missing.length > 0) return missing.map((fault) => (0, doctor_row.Mz)("Scopes", fault, token_rows_ADMIN));
			const needed = willPublish ? "`read`, `scans:launch` and `publish`" : "`read` and `scans:launch`";
			return token.scopes === void 0 ? [notShown("Scopes", "scopes", `the token has ${needed}`)] : [(0, doctor_row.ok)("Scopes", `The token has ${needed}.`)];
		}
		function expiryRow({ expiresAt }, { isPublic, now }) {
			if (expiresAt === void 0) return (0, doctor_row.ok)("Expiry", "The service shows no expiry.");
			const left = new Date(expiresAt).getTime() - now.getTime();
			if (Number.isNaN(left)) return notShown("Expiry", "a readable expiry", "the token does not expire soon");
			if (left <= 0) return (0, doctor_row.z3)("Expiry", "The token has expired.", token_rows_ADMIN, NEW_TOKEN);
			const days = Math.floor(left / DAY_MS);
			if (left <= EXPIRY_NOTICE_MS) {
				const when = isPublic ? "within 7 days" : `in ${days === 1 ? "1 day" : `${days} days`}`;
				return (0, doctor_row.$e)("Expiry", `The token expires ${when}.`, token_rows_ADMIN, NEW_TOKEN);
			}
			return (0, doctor_row.ok)("Expiry", isPublic ? "More than 7 days are left." : `${days} days are left.`);
		}
		function spendLimitRow({ spendLimit }, { budget, isPublic }) {
			if (spendLimit !== void 0 && (spendLimit === 0 || spendLimit < (budget ?? 0))) {
				const text = isPublic ? "The spend limit of the token is below the budget of one scan." : `The spend limit of the token is ${spendLimit} credits, below the budget of one scan (${budget ?? 1} or more).`;
				return (0, doctor_row.z3)("Spend limit", text, token_rows_ADMIN, "Raise the spend limit of the token, or lower `credit-budget`.");
			}
			if (isPublic) return (0, doctor_row.ok)("Spend limit", "The service shows none that is below the budget of one scan.");
			return (0, doctor_row.ok)("Spend limit", spendLimit === void 0 ? "The service shows no spend limit." : `${spendLimit} credits per billing period. What is left of it is not shown.`);
		}
		function allowlistRow({ allowlist }, { repository, isPublic }) {
			if (repository === void 0) return (0, doctor_row.hT)("Allowlist", "Not checked: the repositories were not read.");
			if (repository.ok) {
				if (isPublic || allowlist === void 0) return (0, doctor_row.ok)("Allowlist", "The token may see this repository.");
				const { length } = allowlist;
				return (0, doctor_row.ok)("Allowlist", length === 0 ? "None: the token may see every repository of the project." : `The token may see this repository, one of ${length}.`);
			}
			if (allowlist !== void 0 && allowlist.length === 0) return (0, doctor_row.ok)("Allowlist", "None: the token may see every repository of the project.");
			return (0, doctor_row.z3)("Allowlist", "The token may not see this repository, or the project does not have it.", token_rows_ADMIN, "Add the repository to the project and to the allowlist of the token.");
		}
		function notShown(check, what, whether) {
			return (0, doctor_row.$e)(check, `The service does not show ${what}.`, token_rows_ADMIN, `Check in the integration settings of the project that ${whether}.`);
		}
		function diagnose(facts) {
			const { reading, repository, proxy, service, github, now } = facts;
			const { inputs } = reading;
			const { headSha, isPublic } = repository;
			const parameters = readLaunchParameters(inputs.launchParameters);
			const wanted = wantedRepository(facts);
			const question = {
				ref: wire_writes_sentValue(parameters, "presetRef", inputs.preset),
				creditBudget: wire_writes_sentValue(parameters, "creditBudget", inputs.creditBudget)
			};
			const found = foundRepository(facts);
			const chosen = chosenPreset(service, question);
			const base = planBase(headSha, inputs.baseSha, parameters);
			return [
				...inputRows(reading, parameters, headSha),
				...addressRows(inputs.baseUrl, proxy, service),
				...tokenRows(service, {
					willPublish: inputs.publish !== "never",
					budget: chosen?.creditBudget,
					repository: found,
					isPublic,
					now
				}),
				...repositoryRows(service, found, wanted, github),
				...presetRows(service, question),
				...assumptionRows(service),
				...guidanceRows(facts.guidance),
				launchRow(found?.ok ? found.value : void 0, chosen, base.ok ? base.value : inputs.baseSha, parameters, guidanceText(facts.guidance)),
				...githubRows(github),
				...requiredRows(github, inputs.checkName)
			];
		}
		function foundRepository(facts) {
			const list = facts.service?.lists?.repositories;
			return list?.ok ? findRepository(list.value, wantedRepository(facts)) : void 0;
		}
		function wantedRepository({ reading, repository }) {
			const { owner, name, serverUrl } = repository;
			const { repositoryId, launchParameters } = reading.inputs;
			return {
				repositoryId: wire_writes_sentValue(readLaunchParameters(launchParameters), "repositoryId", repositoryId),
				owner,
				name,
				serverUrl
			};
		}
		function isReady(rows) {
			return countOf(rows, "error") === 0;
		}
		function countOf(rows, wanted) {
			return rows.filter(({ level }) => level === wanted).length;
		}
		const WebAddress = dist.FsL(dist.cl6(dist.YjP()), dist.pdi((value) => {
			const url = value == null ? null : URL.parse(value);
			return url?.protocol === "https:" || url?.protocol === "http:" ? url.href : void 0;
		}));
		const Listed = dist.Ikc({ check_runs: dist.YOg(dist.Ikc({
			id: dist.aig(),
			name: dist.YjP(),
			head_sha: dist.YjP(),
			html_url: dist.lqM(WebAddress),
			external_id: dist.cl6(dist.YjP(), ""),
			status: dist.cl6(dist.YjP()),
			output: dist.cl6(dist.Ikc({ summary: dist.cl6(dist.YjP()) }))
		})) });
		const check_run_list_MOST_PAGES = 50;
		const operation = "list the check runs";
		const permission = "checks: write";
		async function listCheckRuns(github, headSha, name, signal) {
			const listed = /* @__PURE__ */ new Map();
			for (let page = 1; page <= check_run_list_MOST_PAGES; page += 1) {
				const answer = await github.ask({
					operation,
					permission,
					route: "GET /repos/{owner}/{repo}/commits/{ref}/check-runs",
					parameters: {
						ref: headSha,
						...name === void 0 ? {} : { check_name: name },
						filter: "all",
						per_page: 100,
						page
					},
					answer: Listed,
					signal
				});
				if (!answer.ok) return (0, domain_result._)(answer.error);
				for (const run of answer.value.data.check_runs) {
					if (run.head_sha !== headSha) continue;
					listed.set(run.id, {
						id: run.id,
						name: run.name,
						url: run.html_url,
						externalId: run.external_id,
						status: run.status ?? void 0,
						summary: run.output?.summary ?? ""
					});
				}
				if (!answer.value.hasNextPage) return (0, domain_result.ok)([...listed.values()].sort((a, b) => b.id - a.id));
			}
			return (0, domain_result._)({
				kind: "nonsense",
				operation,
				permission,
				status: 200,
				message: `more than ${check_run_list_MOST_PAGES} pages of check runs`,
				mayHaveHappened: false
			});
		}
		const CommitId = dist.FsL(dist.YjP(), dist.z6Y(target.j, "not a full commit id"));
		const Tree = dist.Ikc({ tree: dist.Ikc({ sha: CommitId }) });
		const MergeBaseAnswer = dist.Ikc({ merge_base_commit: dist.lqM(dist.Ikc({
			sha: CommitId,
			commit: dist.NpB(dist.lqM(Tree), void 0)
		})) });
		dist.Ikc({ files: dist.YOg(dist.L5J()) });
		const COMPARE = "GET /repos/{owner}/{repo}/compare/{basehead}";
		async function mergeBaseByCompare(github, { base, head }, signal) {
			for (const page of [2, 1]) {
				const answer = await github.ask({
					operation: "read GitHub's comparison of base and head",
					permission: "contents: read",
					route: COMPARE,
					parameters: {
						basehead: `${base}...${head}`,
						per_page: 1,
						page
					},
					answer: MergeBaseAnswer,
					signal
				});
				if (!answer.ok) return (0, domain_result._)(compareFault(answer.error));
				const mergeBase = answer.value.data.merge_base_commit;
				if (mergeBase !== void 0) return (0, domain_result.ok)({
					sha: mergeBase.sha,
					tree: mergeBase.commit?.tree.sha
				});
			}
			return (0, domain_result._)({
				kind: "unavailable",
				error: {
					kind: "nonsense",
					operation: "read GitHub's comparison of base and head",
					permission: "contents: read",
					status: 200,
					message: "merge_base_commit is missing",
					mayHaveHappened: true
				}
			});
		}
		function compareFault(error) {
			if (error.kind === "stopped") return { kind: "stopped" };
			if (error.kind !== "not-found") return {
				kind: "unavailable",
				error
			};
			return /^no common ancestor/i.test(error.message) ? { kind: "no-common-ancestor" } : { kind: "unknown-commit" };
		}
		const Name = dist.FsL(dist.YjP(), dist.BpQ(1));
		const repository_CommitId = dist.FsL(dist.YjP(), dist.z6Y(target.j, "not a full commit id"));
		const repository_StatusChecks = dist.Ikc({ contexts: dist.YOg(dist.YjP()) });
		async function readDefaultBranch(github, signal) {
			const answer = await github.ask({
				operation: "read the repository",
				permission: "contents: read",
				route: "GET /repos/{owner}/{repo}",
				answer: dist.Ikc({ default_branch: Name }),
				signal
			});
			return answer.ok ? (0, domain_result.ok)(answer.value.data.default_branch) : answer;
		}
		async function readProtectedBranch(github, branch, signal) {
			const answer = await github.ask({
				operation: "read the default branch",
				permission: "contents: read",
				route: "GET /repos/{owner}/{repo}/branches/{branch}",
				parameters: { branch },
				answer: dist.Ikc({
					commit: dist.Ikc({ sha: repository_CommitId }),
					protected: dist.NpB(dist.zMY(), false),
					protection: dist.NpB(dist.lqM(dist.Ikc({ required_status_checks: repository_StatusChecks })), void 0)
				}),
				signal
			});
			if (!answer.ok) return answer;
			const { commit, protected: isProtected, protection } = answer.value.data;
			return (0, domain_result.ok)({
				sha: commit.sha,
				isProtected,
				requiredChecks: protection?.required_status_checks.contexts
			});
		}
		const MOST_FILES = 30;
		const FOLDER = ".github/workflows";
		const LIKELY = /scangate|secur|scan/i;
		const Listing = dist.YOg(dist.Ikc({
			type: dist.YjP(),
			path: dist.YjP()
		}));
		const Content = dist.Ikc({
			encoding: dist.euz("base64"),
			content: dist.YjP()
		});
		const workflow_files_operation = "read the workflows";
		const workflow_files_permission = "contents: read";
		const route = "GET /repos/{owner}/{repo}/contents/{path}";
		async function readWorkflowFiles(github, ref, signal) {
			const common = {
				operation: workflow_files_operation,
				permission: workflow_files_permission,
				route,
				signal
			};
			const listing = await github.ask({
				...common,
				parameters: {
					path: FOLDER,
					ref
				},
				answer: Listing
			});
			if (!listing.ok) return listing.error.kind === "not-found" ? (0, domain_result.ok)({
				files: [],
				complete: true
			}) : listing;
			const paths = listing.value.data.filter(({ type, path }) => type === "file" && /\.ya?ml$/.test(path)).map(({ path }) => path).sort((a, b) => Number(LIKELY.test(b)) - Number(LIKELY.test(a)));
			const read = await Promise.all(paths.slice(0, MOST_FILES).map(async (path) => {
				const file = await github.ask({
					...common,
					parameters: {
						path,
						ref
					},
					answer: Content
				});
				if (!file.ok) return file;
				return (0, domain_result.ok)({
					path,
					text: Buffer.from(file.value.data.content, "base64").toString("utf8")
				});
			}));
			const failed = read.find((file) => !file.ok);
			if (failed !== void 0 && !failed.ok) return failed;
			const files = read.flatMap((file) => file.ok ? [file.value] : []);
			return (0, domain_result.ok)({
				files,
				complete: files.length === paths.length
			});
		}
		const NOTHING = {
			branch: void 0,
			rules: void 0,
			comparison: void 0,
			checkRuns: void 0,
			workflows: void 0
		};
		async function readGitHub(github, { headSha, checkName }, signal) {
			const defaultBranch = await readDefaultBranch(github, signal);
			if (!defaultBranch.ok) return {
				...NOTHING,
				defaultBranch
			};
			const [branch, rules] = await Promise.all([readProtectedBranch(github, defaultBranch.value, signal), readBranchRules(github, defaultBranch.value, signal)]);
			if (!branch.ok) return {
				...NOTHING,
				defaultBranch,
				branch,
				rules
			};
			const base = branch.value.sha;
			const [comparison, checkRuns, workflows] = await Promise.all([
				mergeBaseByCompare(github, {
					base,
					head: headSha || base
				}, signal),
				listCheckRuns(github, base, checkName, signal),
				readWorkflowFiles(github, base, signal)
			]);
			return {
				defaultBranch,
				branch,
				rules,
				comparison,
				checkRuns,
				workflows
			};
		}
		async function readGuidance({ service, github, signal }, facts) {
			const path = facts.reading.inputs.guidanceFile;
			if (path === void 0) return void 0;
			const branch = facts.github?.branch;
			const repository = foundRepository(facts);
			const projectId = facts.service?.projectId;
			const [file, stored] = await Promise.all([github !== void 0 && branch?.ok ? readGuidanceFile({
				github,
				signal
			}, path, branch.value.sha) : void 0, service !== void 0 && projectId?.ok && repository?.ok ? readStoredGuidance(service, projectId.value, repository.value.id, signal) : void 0]);
			return {
				path,
				file,
				stored
			};
		}
		async function readService(api, given, signal) {
			const token = await api.token({ signal });
			const projectId = projectIdOf(given, token);
			if (!token.ok && isAboutAll(token.error) || projectId === void 0 || !projectId.ok) return {
				token,
				projectId,
				lists: void 0,
				scan: void 0,
				findings: void 0
			};
			const id = projectId.value;
			const [lists, findings] = await Promise.all([readLists(api, id, signal), api.sampleFindings(id, { signal })]);
			const sample = lists.scans.ok ? sampleOf(lists.scans.value) : void 0;
			return {
				token,
				projectId,
				lists,
				scan: sample === void 0 ? void 0 : await api.readScan(id, sample, { signal }),
				findings
			};
		}
		function projectIdOf(given, token) {
			if (given !== void 0) return givenProject(given);
			return token.ok ? projectOf(token.value) : void 0;
		}
		function isAboutAll(error) {
			return error.kind !== "refused" || error.status === 401;
		}
		function sampleOf({ scans }) {
			const rank = ({ status, baseSha }) => Number(status === "COMPLETED") + 2 * Number(baseSha !== void 0);
			return scans.filter(({ id }) => id !== void 0).toSorted((a, b) => rank(b) - rank(a))[0]?.id;
		}
		var visible_text = __nccwpck_require__(39);
		const BREAK = "&#8203;";
		const HEX_PIECES = /[0-9a-f]{1,6}/gi;
		const TEXT_TOKENS = /[@#$&<>`*_[\]~|\\!]+|www\.|:\/\/|:(?=[\w+-]{1,60}(?::|$))|GH-|[0-9a-f]{7,}|[ \t]{2,}|\t/gi;
		const CODE_TOKENS = /[#$&<>`*_[\]~|\\!]+|(?<=[\w.+-])@|www\.|:\/\//gi;
		const FIRST_ON_LINE = /^( ?\d*)([-+=.:)])/;
		const COLOUR = /^ *(?:#|rgb|hsl)/i;
		function escapeText(text) {
			const escaped = text.replace(TEXT_TOKENS, (token, offset) => isNumber(text, token, offset) ? `<code>${token}</code>` : textToken(token)).replace(FIRST_ON_LINE, (_, before, mark) => before + entity(mark));
			return (0, visible_text.P8)(escaped);
		}
		function escapeCode(text) {
			const escaped = (0, visible_text.P8)(text.replace(CODE_TOKENS, codeToken));
			return COLOUR.test(text) ? BREAK + escaped : escaped;
		}
		const ENTITIES = Array.from("#$&<>`*_[]~|\\!", (sign) => [sign, entity(sign)]);
		const CODE_SIGNS = new Map([...ENTITIES, ["@", `${BREAK}@`]]);
		const TEXT_SIGNS = new Map([
			...ENTITIES,
			["@", `@${BREAK}`],
			["#", `&#35;${BREAK}`],
			["$", "<span>&#36;</span>"]
		]);
		function isNumber(text, token, offset) {
			const around = `${text[offset - 1] ?? " "}${text[offset + token.length] ?? " "}`;
			return /^\d+$/.test(token) && !/[\p{L}\p{N}_]/u.test(around);
		}
		function textToken(token) {
			if (TEXT_SIGNS.has(token.charAt(0))) return eachSign(token, TEXT_SIGNS);
			if (token.trim() === "") return " ";
			return token.match(HEX_PIECES)?.join(BREAK) ?? broken(token);
		}
		function codeToken(token) {
			return CODE_SIGNS.has(token.charAt(0)) ? eachSign(token, CODE_SIGNS) : broken(token);
		}
		function broken(token) {
			if (token.startsWith(":")) return `:${BREAK}${token.slice(1)}`;
			return token.endsWith(".") ? `${token.slice(0, -1)}${BREAK}.` : token + BREAK;
		}
		function eachSign(signs, meaning) {
			let escaped = "";
			for (const sign of signs) escaped += meaning.get(sign) ?? sign;
			return escaped;
		}
		function entity(sign) {
			return `&#${sign.charCodeAt(0)};`;
		}
		const source = Symbol("markdown");
		function md(strings, ...values) {
			let text = strings[0] ?? "";
			values.forEach((value, index) => {
				const before = strings[index] === "" ? values[index - 1] : void 0;
				if (before !== void 0 && (isForeign(value) || isForeign(before))) text += BREAK;
				text += sourceOf(value) + (strings[index + 1] ?? "");
			});
			return safe(text);
		}
		function isForeign(value) {
			return typeof value === "string" || typeof value === "number";
		}
		function sourceOf(value) {
			if (isForeign(value)) return escapeText(String(value));
			return source in value ? value[source] : value.map(toText).join("");
		}
		function toText(markdown) {
			return markdown[source];
		}
		function join(pieces, separator) {
			return safe(pieces.map(toText).filter((part) => part !== "").join(separator[source]));
		}
		const markdown_NOTHING = safe("");
		const LINE_BREAK = safe("<br>");
		function inlineCode(text) {
			return text === "" ? markdown_NOTHING : safe(`<code>${escapeCode(text)}</code>`);
		}
		function safe(text) {
			return { [source]: text };
		}
		const CODE_SPAN = /(`[^`]+`)/;
		function renderCodeSpans(text) {
			return md`${text.split(CODE_SPAN).map((piece, index) => index % 2 === 1 ? inlineCode(piece.slice(1, -1)) : md`${piece}`)}`;
		}
		__nccwpck_require__(216);
		function headline_countOf(count, noun) {
			return `${count} ${noun}${count === 1 ? "" : "s"}`;
		}
		const SIGNS = {
			ok: "✓",
			warning: "warning",
			error: "error",
			skipped: "–"
		};
		const MARKS = {
			ok: md`✓`,
			warning: md`⚠️&nbsp;warning`,
			error: md`❌&nbsp;error`,
			skipped: md`–`
		};
		const NO_CHARGE = "The doctor only reads. It launched no scan, used no credits and changed nothing.";
		const LONGEST_TEXT = 2e3;
		function describeTable(rows) {
			const errors = headline_countOf(countOf(rows, "error"), "error");
			const warnings = headline_countOf(countOf(rows, "warning"), "warning");
			return `${isReady(rows) ? "Ready" : "Not ready"}: ${errors}, ${warnings}.`;
		}
		function tableLines(all) {
			const rows = all.map(shortened);
			const width = (texts) => Math.max(...texts.map(({ length }) => length), 0);
			const signs = width(rows.map(({ level }) => SIGNS[level]));
			const checks = width(rows.map(({ check }) => check));
			return rows.flatMap(({ check, level, text, fix }) => [`${SIGNS[level].padEnd(signs)}  ${check.padEnd(checks)}  ${text}`, ...fix === void 0 ? [] : [`${" ".repeat(signs + checks + 4)}${fix.who}: ${fix.what}`]]);
		}
		function problemLines(rows) {
			return rows.filter(({ level }) => level === "error").map(shortened).map(({ check, text, fix }) => `- ${check}: ${text}${fix === void 0 ? "" : ` ${fix.who}: ${fix.what}`}`);
		}
		function renderTable(rows) {
			return `${[
				md`## ${isReady(rows) ? "✅" : "❌"} ${describeTable(rows)}`,
				md``,
				md`| | Check | Result | Who can fix it |`,
				md`| --- | --- | --- | --- |`,
				...rows.map(shortened).map(rowLine),
				md``,
				md`${NO_CHARGE}`
			].map(toText).join("\n")}\n`;
		}
		function shortened({ fix, text, ...row }) {
			const shown = {
				...row,
				text: (0, foreign_text.n)(text, LONGEST_TEXT)
			};
			return fix === void 0 ? shown : {
				...shown,
				fix: {
					...fix,
					what: (0, foreign_text.n)(fix.what, LONGEST_TEXT)
				}
			};
		}
		function rowLine({ check, level, text, fix }) {
			const who = fix === void 0 ? markdown_NOTHING : join([md`**${fix.who}**`, renderCodeSpans(fix.what)], LINE_BREAK);
			return md`| ${MARKS[level]} | ${check} | ${renderCodeSpans(text)} | ${who} |`;
		}
		const LONGEST_MS = 3e5;
		async function runDoctor(deps) {
			return deliverTable(deps, diagnose(await readFacts(deps)));
		}
		async function readFacts(deps) {
			const { clock, fetch, random, environment, isPublic, reading, proxy, log } = deps;
			const { owner, repo: name, serverUrl, sha: headSha } = environment;
			const { baseUrl, apiToken, githubToken, projectId, checkName } = reading.inputs;
			const limit = new AbortController();
			const deadline = clock.timeout(LONGEST_MS);
			deadline.signal.addEventListener("abort", () => limit.abort(new stop.VG("timeout")), { once: true });
			const signal = AbortSignal.any([deps.signal, limit.signal]);
			const mayConnect = proxy.fault === void 0;
			const service = mayConnect && baseUrl !== "" && apiToken !== "" ? createScanApi({
				baseUrl,
				token: apiToken,
				showMessages: !isPublic,
				clock,
				fetch,
				random,
				debug: log.debug
			}) : void 0;
			const github = mayConnect && githubToken !== "" ? createGitHub({
				token: githubToken,
				environment,
				clock,
				fetch,
				debug: log.debug
			}) : void 0;
			const [serviceFacts, githubFacts] = await Promise.all([service && readService(service, projectId, signal), github && readGitHub(github, {
				headSha,
				checkName
			}, signal)]);
			const facts = {
				reading,
				proxy,
				repository: {
					owner,
					name,
					serverUrl,
					isPublic,
					headSha
				},
				service: serviceFacts,
				github: githubFacts,
				now: clock.date()
			};
			const guidance = await readGuidance({
				service,
				github,
				signal
			}, facts);
			deadline.clear();
			return {
				...facts,
				guidance
			};
		}
		async function deliverTable({ log, writeSummary, writeOutputs }, rows) {
			for (const line of tableLines(rows)) log.info(line);
			log.info(NO_CHARGE);
			await attempt("job summary", log.warning, () => writeSummary(renderTable(rows)));
			const ready = isReady(rows);
			writeOutputs({
				ready,
				problems: countOf(rows, "error")
			});
			if (ready) log.info(describeTable(rows));
			else log.error(describeTable(rows), problemLines(rows));
			return ready ? 0 : 1;
		}
	}),
	216: ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {
		__nccwpck_require__.d(__webpack_exports__, {
			Hv: () => normalRules,
			mV: () => FAIL_ON_NONE,
			qX: () => contradiction,
			xG: () => failOnAt,
			yZ: () => EVIDENCE_LEVELS
		});
		var _severity_js__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(255);
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
			return worstFirst(rules).filter(({ evidence }, index, all) => all[index + 1]?.evidence !== evidence);
		}
		function contradiction(rules) {
			const sorted = worstFirst(rules);
			for (const [index, milder] of sorted.entries()) {
				const worse = sorted[index - 1];
				if (worse !== void 0 && proofOf(worse) > proofOf(milder)) return {
					worse,
					milder
				};
			}
		}
		function worstFirst(rules) {
			return _severity_js__WEBPACK_IMPORTED_MODULE_0__.me.flatMap((level) => rules.filter(({ severity }) => severity === level));
		}
		function proofOf({ evidence }) {
			return EVIDENCE_LEVELS.indexOf(evidence);
		}
	}),
	705: ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {
		__nccwpck_require__.d(__webpack_exports__, {
			_: () => err,
			ok: () => ok
		});
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
	}),
	255: ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {
		__nccwpck_require__.d(__webpack_exports__, {
			me: () => SEVERITY_LEVELS,
			xJ: () => severityOf
		});
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
		function severityOf(word) {
			return {
				level: (word === void 0 ? void 0 : LEVEL_OF_WORD.get(word.trim().toUpperCase())) ?? "unknown",
				word: word ?? ""
			};
		}
	}),
	764: ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {
		__nccwpck_require__.d(__webpack_exports__, {
			VG: () => Stop,
			cV: () => explainStop,
			w3: () => stopCause
		});
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
				cause: `Scangate reached its time limit (the input \`timeout-minutes\`) before ${before}.`,
				nextStep: "Re-run this job, or raise the input `timeout-minutes` in the workflow and push."
			} : {
				reason: "scan-cancelled",
				cause: `The job was cancelled before ${before}.`,
				nextStep: "Re-run this job if you still need the result.",
				bySignal: true
			};
		}
	}),
	157: ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {
		__nccwpck_require__.d(__webpack_exports__, { j: () => isCommitId });
		function isCommitId(value) {
			return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(value);
		}
	}),
	376: ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {
		__nccwpck_require__.d(__webpack_exports__, { Q: () => readEnvironment });
		var _domain_result_js__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(705);
		const GITHUB_COM = {
			serverUrl: "https://github.com",
			apiUrl: "https://api.github.com"
		};
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
			if (faults.length > 0) return (0, _domain_result_js__WEBPACK_IMPORTED_MODULE_0__._)({
				reason: "configuration",
				cause: `This does not look like a GitHub Actions step: ${faults.join("; ")}.`,
				nextStep: "Run Scangate as a step of a workflow, and do not override the `GITHUB_` variables."
			});
			const page = `${serverUrl}/${owner}/${repo}/actions`;
			return (0, _domain_result_js__WEBPACK_IMPORTED_MODULE_0__.ok)({
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
				sha: env["GITHUB_SHA"] ?? "",
				actor: env["GITHUB_ACTOR"] ?? "",
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
	}),
	158: ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {
		__nccwpck_require__.d(__webpack_exports__, { GQ: () => isPublicRepository });
		var valibot__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(728);
		var _domain_target_js__WEBPACK_IMPORTED_MODULE_1__ = __nccwpck_require__(157);
		valibot__WEBPACK_IMPORTED_MODULE_0__.FsL(valibot__WEBPACK_IMPORTED_MODULE_0__.YjP(), valibot__WEBPACK_IMPORTED_MODULE_0__.z6Y(_domain_target_js__WEBPACK_IMPORTED_MODULE_1__.j, "not a full commit id"));
		const Repository = valibot__WEBPACK_IMPORTED_MODULE_0__.Ikc({
			full_name: valibot__WEBPACK_IMPORTED_MODULE_0__.YjP(),
			visibility: valibot__WEBPACK_IMPORTED_MODULE_0__.lqM(valibot__WEBPACK_IMPORTED_MODULE_0__.YjP()),
			private: valibot__WEBPACK_IMPORTED_MODULE_0__.lqM(valibot__WEBPACK_IMPORTED_MODULE_0__.zMY())
		});
		function isPublicRepository(payload) {
			const parsed = valibot__WEBPACK_IMPORTED_MODULE_0__.xLC(valibot__WEBPACK_IMPORTED_MODULE_0__.Ikc({ repository: Repository }), payload);
			return !parsed.success || isPublic(parsed.output.repository);
		}
		function isPublic({ visibility, private: isPrivate }) {
			return visibility === void 0 ? isPrivate !== true : visibility === "public";
		}
	}),
	691: ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {
		__nccwpck_require__.d(__webpack_exports__, { r: () => readPayload });
		var node_fs_promises__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(455);
		var _domain_result_js__WEBPACK_IMPORTED_MODULE_1__ = __nccwpck_require__(705);
		async function readPayload(eventPath) {
			try {
				const payload = JSON.parse(await (0, node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.readFile)(eventPath, "utf8"));
				return (0, _domain_result_js__WEBPACK_IMPORTED_MODULE_1__.ok)(payload);
			} catch (error) {
				return (0, _domain_result_js__WEBPACK_IMPORTED_MODULE_1__._)({
					reason: "configuration",
					cause: `Could not read the event payload at \`GITHUB_EVENT_PATH\`: ${error instanceof SyntaxError ? "it is not JSON" : "the file cannot be opened"}.`,
					nextStep: "Re-run the workflow. Do not override `GITHUB_EVENT_PATH`."
				});
			}
		}
	}),
	667: ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {
		__nccwpck_require__.d(__webpack_exports__, {
			R: () => proxyFaultOf,
			i: () => PROXY_CONNECTION
		});
		const PROXY_CONNECTION = "UND_ERR_PRX_CONN";
		const PROXY_TLS = "UND_ERR_PRX_TLS";
		const REFUSED = /^proxy response \((\d+)\)/i;
		function proxyFaultOf(error) {
			const [, status] = REFUSED.exec(error.message) ?? [];
			if (status !== void 0) return status === "407" ? "credentials" : "refusal";
			const code = Reflect.get(error, "code");
			return code === PROXY_CONNECTION || code === PROXY_TLS ? "no-connection" : void 0;
		}
	}),
	611: ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {
		__nccwpck_require__.d(__webpack_exports__, {
			rw: () => proxyVariable,
			C: () => useProxy
		});
		const external_node_diagnostics_channel_namespaceObject = createRequire(import.meta.url)("node:diagnostics_channel");
		const external_node_http_namespaceObject = createRequire(import.meta.url)("node:http");
		var proxy_fault = __nccwpck_require__(667);
		const VARIABLES = [
			"HTTPS_PROXY",
			"https_proxy",
			"HTTP_PROXY",
			"http_proxy"
		];
		const NO_TUNNEL = /* @__PURE__ */ new Set([
			"EAI_AGAIN",
			"ECONNREFUSED",
			"ECONNRESET",
			"EHOSTUNREACH",
			"ENETUNREACH",
			"ENOTFOUND",
			"EPIPE",
			"ETIMEDOUT",
			"UND_ERR_CONNECT_TIMEOUT",
			"UND_ERR_SOCKET"
		]);
		const LOOPBACK = [
			"localhost",
			"127.0.0.1",
			"[::1]"
		];
		function useProxy(env, baseUrl, node = external_node_http_namespaceObject) {
			const named = proxyVariable(env);
			if (named === void 0) return void 0;
			const honour = Reflect.get(node, "setGlobalProxyFromEnv");
			if (typeof honour !== "function") return {
				reason: "configuration",
				cause: `${named} is set, but Node ${process.versions.node} on this runner does not support it.`,
				nextStep: "Update the runner to a version with Node 24.14 or later, or unset the variable for this step."
			};
			try {
				honour(withDirectHosts(env, baseUrl));
				(0, external_node_diagnostics_channel_namespaceObject.subscribe)("undici:request:error", nameLostTunnel);
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
			const direct = [.../* @__PURE__ */ new Set([
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
			if (NO_TUNNEL.has(member(error, "code"))) Reflect.set(error, "code", proxy_fault.i);
		}
		function member(value, name) {
			return typeof value === "object" && value !== null ? Reflect.get(value, name) : void 0;
		}
	}),
	980: ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {
		__nccwpck_require__.d(__webpack_exports__, { Ko: () => readInputs });
		const external_node_path_namespaceObject = createRequire(import.meta.url)("node:path");
		var core = __nccwpck_require__(783);
		var fail_on = __nccwpck_require__(216);
		var domain_severity = __nccwpck_require__(255);
		var target = __nccwpck_require__(157);
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
		const BASE_URL_FORM = "an https URL ending in `/api/v1`, without user, query or fragment (http only for a loopback host)";
		function readBaseUrl(given, fault) {
			const url = URL.parse(given);
			if (url !== null && (url.protocol === "https:" || url.protocol === "http:" && isLoopback(url.hostname)) && url.username === "" && url.password === "" && !/[?#]/.test(given) && /\/api\/v1\/?$/.test(url.pathname)) return `${url.origin}${url.pathname.replace(/\/$/, "")}`;
			fault(`is not valid. Use ${BASE_URL_FORM}.`);
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
			fault("is not a JSON object. Use for example `{\"commit\": null, \"commitSha\": \"…\"}`.");
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
		const NOT_ALLOWABLE = /* @__PURE__ */ new Map([["configuration", ", which never passes"], ["paths", ", which the input `paths-unscanned` allows by itself"]]);
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
			const relative = external_node_path_namespaceObject.relative(folder, external_node_path_namespaceObject.resolve(folder, file));
			return relative !== "" && relative !== ".." && !relative.startsWith(`..${external_node_path_namespaceObject.sep}`) && !external_node_path_namespaceObject.isAbsolute(relative);
		}
		function quote(value) {
			const shown = value.replaceAll("`", "'");
			return `\`${shown.length > 60 ? `${shown.slice(0, 60)}…` : shown}\``;
		}
		const OTHERWISE = (0, fail_on.xG)("high");
		const FORM = `Use one of: ${domain_severity.me.join(", ")}, none. Or a list, for example \`critical, high:confirmed, medium:poc\`.`;
		function readFailOn(given, defaultEvidence, fault) {
			const text = given.trim().toLowerCase();
			if (text === "none") return {
				...fail_on.mV,
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
			const against = (0, fail_on.qX)(rules);
			if (against !== void 0) {
				const [worse, milder] = [against.worse, against.milder].map(({ severity, evidence }) => quote(`${severity}:${evidence}`));
				wrong.push(`asks for more proof of the worse severity: ${worse}, but ${milder}. Ask for as much or less. An entry without evidence has that of \`fail-on-evidence\`, \`${defaultEvidence}\`.`);
			}
			for (const sentence of wrong) fault(sentence);
			return wrong.length === 0 ? {
				rules: (0, fail_on.Hv)(rules),
				defaultEvidence
			} : OTHERWISE;
		}
		function readEntry(entry, defaultEvidence) {
			const [name, ...levels] = entry.split(":").map((one) => one.trim());
			const severity = domain_severity.me.find((level) => level === name);
			if (severity === void 0) return name === "none" ? "has `none` in a list. Use `none` alone." : `is ${quote(entry)}. ${FORM}`;
			if (levels.length === 0) return {
				severity,
				evidence: defaultEvidence
			};
			const evidence = fail_on.yZ.find((level) => level === levels[0]);
			if (evidence === void 0 || levels.length > 1) return `contains ${quote(entry)}. After the colon, use one of: ${fail_on.yZ.join(", ")}.`;
			return {
				severity,
				evidence
			};
		}
		var result = __nccwpck_require__(705);
		const LONGEST_PATTERN = 500;
		const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/u;
		function parsePathPattern(given) {
			const takesBack = given.startsWith("!");
			const text = takesBack ? given.slice(1) : given;
			const slip = slipOf(text);
			if (slip !== void 0) return (0, result._)(slip);
			const tokens = tokensOf([...text]);
			return tokens.ok ? (0, result.ok)({
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
			[INVISIBLE, "Remove the invisible character."],
			[/^\s|\s$/u, "Remove the space after `!`."],
			[/^- /, "Write one pattern per line, without `- `."],
			[/^['"]|(?<!\\)['"]$/, "Remove the quotation marks."],
			[/^#|\s#/, "Remove the comment. For a `#` in a name, write `\\#`."],
			[/(?<!\\),/, "Write one pattern per line. For a comma in a name, write `\\,`."],
			[/(?<!\\)[{}]/, "Write one pattern per line instead of `{…}`. For a brace in a name, write `\\{` or `\\}`."],
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
			let isStart = true;
			for (let char = chars[0]; char !== void 0; char = chars[at]) {
				const rest = chars.slice(at + 1, at + 3).join("");
				if (char === "*") {
					const kind = !rest.startsWith("*") ? "name-run" : rest === "*/" && isStart ? "folders" : "run";
					tokens.push({ kind });
					at += WIDTH[kind];
					isStart = kind === "folders";
					continue;
				}
				if (char === "?" || char === "+") return (0, result._)(NOTHING_BEFORE);
				if (char === "]") return (0, result._)("Open the set with `[`. For a bracket in a name, write `\\]`.");
				let ranges = [[char, char]];
				let next = at + 1;
				const escaped = char === "\\" ? chars[next] : void 0;
				if (escaped !== void 0) {
					ranges = [[escaped, escaped]];
					next += 1;
				} else if (char === "[") {
					const end = chars.indexOf("]", at);
					if (end < 0) return (0, result._)("Close the set with `]`. For a bracket in a name, write `\\[`.");
					const set = rangesOf(chars.slice(at + 1, end).join(""));
					if (set === void 0) return (0, result._)(SET_FORM);
					ranges = set;
					next = end + 1;
				}
				const mark = chars[next];
				const isMarked = mark === "?" || mark === "+";
				if (isMarked && char === "/") return (0, result._)(NOTHING_BEFORE);
				tokens.push({
					kind: "one",
					chars: ranges,
					optional: mark === "?",
					repeats: mark === "+"
				});
				isStart = char === "/";
				at = isMarked ? next + 1 : next;
			}
			return (0, result.ok)(tokens);
		}
		const NOTHING_BEFORE = "A `?` or `+` repeats the character before it, and needs a letter, a digit or a set there. `?` is zero or one of it, `+` is one or more. For any characters, write `*`. For a `?` or `+` in a name, write `\\?` or `\\+`.";
		const SET_FORM = "A set has letters, digits and their ranges, for example `[a-z0-9]`. For a bracket in a name, write `\\[` and `\\]`.";
		function rangesOf(set) {
			if (!/^(?:[a-z](?:-[a-z])?|[A-Z](?:-[A-Z])?|[0-9](?:-[0-9])?)+$/.test(set)) return void 0;
			const ranges = (set.match(/.-.|./g) ?? []).map((range) => [range.charAt(0), range.slice(-1)]);
			return ranges.every(([first, last]) => first <= last) ? ranges : void 0;
		}
		function matchesPattern({ tokens, takesBack }, path) {
			const orBelow = takesBack && tokens.at(-1)?.kind === "one";
			let live = withSkipped(tokens, /* @__PURE__ */ new Set([0]), true);
			for (const char of path) {
				if (orBelow && char === "/" && live.has(tokens.length)) return true;
				const next = /* @__PURE__ */ new Set();
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
		function matchesPath(patterns, path) {
			if (!isPlainPath(path)) return false;
			return patterns.findLast((pattern) => matchesPattern(pattern, path))?.takesBack === false;
		}
		function isPlainPath(path) {
			if (path === "" || path.length > LONGEST_PATH) return false;
			if (/^[a-z]:|\\/i.test(path) || INVISIBLE.test(path)) return false;
			return path.split("/").every((name) => name !== "" && name !== "." && name !== "..");
		}
		function matchesEverything(patterns) {
			const samples = patterns.map((pattern) => sampleOf(pattern, "qxz")).filter(isPlainPath);
			return [ANY_FILE, ...samples].every((path) => matchesPath(patterns, path));
		}
		const ANY_FILE = "qxz/qxz/qxz/qxz.qxz";
		function readPaths(given, fault) {
			const { patterns, slips } = readPathPatterns(given ?? "");
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
		const LONGEST_CHECK_NAME = 100;
		const LONGEST_TIMEOUT_MINUTES = 7200;
		const SHORTEST_SECRET = 8;
		function readInputs(workspace, source = {
			getInput: core.V4,
			setSecret: core.Pq
		}) {
			const apiToken = source.getInput("api-token");
			const githubToken = source.getInput("github-token");
			for (const secret of [
				apiToken,
				secretPart(apiToken),
				githubToken
			]) if (secret !== "") source.setSecret(secret);
			const faults = [];
			const fault = (name, sentence) => void faults.push(`\`${name}\` ${sentence}`);
			const text = (name) => source.getInput(name).trim() || void 0;
			const withDefault = (name) => text(name) ?? INPUT_DEFAULTS[name];
			const word = (name, legal, otherwise) => {
				const given = withDefault(name);
				const found = legal.find((candidate) => candidate === given.toLowerCase());
				if (found === void 0) fault(name, `is ${quote(given)}. Use one of: ${legal.join(", ")}.`);
				return found ?? otherwise;
			};
			const wholeNumber = (name, given, most) => {
				if (given === void 0) return void 0;
				const value = /^\d{1,15}$/.test(given) ? Number(given) : NaN;
				if (value >= 1 && value <= most) return value;
				const range = most === Number.MAX_SAFE_INTEGER ? "1 or more" : `from 1 to ${most}`;
				fault(name, `is ${quote(given)}. Use a whole number, ${range}.`);
			};
			if (/[^!-~]/.test(apiToken)) fault("api-token", "contains spaces or line breaks. Check how the secret was stored.");
			if (githubToken === "") fault("github-token", "is empty. Remove it to use the workflow's own token.");
			const givenUrl = text("base-url");
			const missing = givenUrl === void 0 ? [`\`base-url\` is empty. Use ${BASE_URL_FORM}.`] : [];
			const baseUrl = givenUrl === void 0 ? "" : readBaseUrl(givenUrl, (sentence) => fault("base-url", sentence));
			const checkName = withDefault("check-name");
			if (checkName.length > LONGEST_CHECK_NAME || /\p{Cc}/u.test(checkName)) fault("check-name", `is too long or not one line. Use one line of at most ${LONGEST_CHECK_NAME} characters.`);
			const baseSha = text("base-commit")?.toLowerCase();
			if (baseSha !== void 0 && !(0, target.j)(baseSha)) fault("base-commit", `is ${quote(baseSha)}. Use a full commit SHA of 40 or 64 hexadecimal digits.`);
			const file = (name) => {
				const given = text(name);
				if (given === void 0) return void 0;
				if (!isInside(workspace, given)) fault(name, `is ${quote(given)}. Use a path inside the workspace.`);
				return external_node_path_namespaceObject.resolve(workspace, given);
			};
			const [sarifFile, reportFile] = [file("sarif-file"), file("report-file")];
			if (sarifFile !== void 0 && sarifFile === reportFile) fault("sarif-file", "and `report-file` are the same file. Use two different paths.");
			const evidence = word("fail-on-evidence", fail_on.yZ, "any");
			const failOn = readFailOn(withDefault("fail-on"), evidence, (sentence) => fault("fail-on", sentence));
			return {
				inputs: {
					baseUrl,
					apiToken,
					githubToken,
					projectId: text("project-id"),
					repositoryId: text("repository-id"),
					preset: text("preset"),
					creditBudget: wholeNumber("credit-budget", text("credit-budget"), Number.MAX_SAFE_INTEGER),
					baseSha,
					launchParameters: readObject(text("launch-parameters"), (sentence) => fault("launch-parameters", sentence)),
					guidanceFile: readRepositoryPath(text("guidance-file"), (sentence) => fault("guidance-file", sentence)),
					policy: {
						severityThreshold: word("severity-threshold", domain_severity.me, "medium"),
						failOn,
						allowUnscanned: readReasons(withDefault("allow-unscanned"), (sentence) => fault("allow-unscanned", sentence)),
						pathsExempt: readPathsExempt(text("paths-exempt"), failOn, (sentence) => fault("paths-exempt", sentence))
					},
					pathsUnscanned: readPathsUnscanned(text("paths-unscanned"), (sentence) => fault("paths-unscanned", sentence)),
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
					sarifFile,
					reportFile,
					timeoutMinutes: wholeNumber("timeout-minutes", text("timeout-minutes"), LONGEST_TIMEOUT_MINUTES),
					reuseScan: word("reuse-scan", ["true", "false"], "true") === "true",
					scanForks: word("scan-forks", [
						"trusted",
						"all",
						"none"
					], "trusted")
				},
				faults,
				missing,
				notices: apiToken !== "" && !/_proj_[^_]+_./.test(apiToken) ? ["`api-token` does not look like a project API token (`…_proj_<keyId>_<secret>`). Check the secret."] : []
			};
		}
		function secretPart(token) {
			const part = token.slice(token.lastIndexOf("_") + 1);
			return part !== token && part.length >= SHORTEST_SECRET ? part : "";
		}
	}),
	846: ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {
		__nccwpck_require__.d(__webpack_exports__, { r: () => createLimits });
		var _domain_stop_js__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(764);
		const WRAP_UP_AFTER_SIGNAL_MS = 6500;
		const LAUNCH_AFTER_STOP_MS = 3500;
		const WRAP_UP_AFTER_TIMEOUT_MS = 3e4;
		const SEARCH_MS = 6e4;
		const SEARCH_AFTER_SIGNAL_MS = 1e3;
		function createLimits(clock) {
			const work = new AbortController();
			const launch = new AbortController();
			const cancelling = new AbortController();
			const wrapUp = new AbortController();
			const signalled = new AbortController();
			let searchEnds = Number.NEGATIVE_INFINITY;
			const abortLater = (controller, ms, stop) => void clock.sleep(ms, controller.signal).then(() => controller.abort(stop));
			const abortAfterSearch = (controller, ms, reason) => void clock.sleep(ms, controller.signal).then(() => {
				const left = searchEnds + ms - clock.now();
				abortLater(controller, Math.min(Math.max(left, 0), SEARCH_MS), reason);
			});
			const stop = (cause) => {
				const reason = new _domain_stop_js__WEBPACK_IMPORTED_MODULE_0__.VG(cause);
				work.abort(reason);
				abortLater(launch, LAUNCH_AFTER_STOP_MS, reason);
				if (cause === "signal") {
					signalled.abort(reason);
					abortLater(cancelling, 5500, reason);
					abortLater(wrapUp, WRAP_UP_AFTER_SIGNAL_MS, reason);
				} else {
					abortAfterSearch(cancelling, 2e4, reason);
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
				startTimeout: (minutes) => void clock.sleep(minutes * 6e4, work.signal).then(() => {
					if (!work.signal.aborted) stop("timeout");
				}),
				startSearch: () => {
					searchEnds = clock.now() + SEARCH_MS;
					const search = new AbortController();
					abortLater(search, SEARCH_MS, new _domain_stop_js__WEBPACK_IMPORTED_MODULE_0__.VG("timeout"));
					const hurry = () => abortLater(search, SEARCH_AFTER_SIGNAL_MS, new _domain_stop_js__WEBPACK_IMPORTED_MODULE_0__.VG("signal"));
					if (signalled.signal.aborted) hurry();
					else signalled.signal.addEventListener("abort", hurry, { once: true });
					return search.signal;
				}
			};
		}
	}),
	52: ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {
		__nccwpck_require__.d(__webpack_exports__, { f: () => createRunnerLog });
		var core = __nccwpck_require__(783);
		var visible_text = __nccwpck_require__(39);
		const COMMAND_AT_START = /^([^\S\n]*):(?=:)/gm;
		const OLD_COMMAND = /##(?=\[)/g;
		function logLine(text) {
			return trusted(escapeCommands((0, visible_text.P8)(text)));
		}
		function logLines(text) {
			return trusted(escapeCommands((0, visible_text.gB)(text)));
		}
		function escapeCommands(lines) {
			return lines.replace(COMMAND_AT_START, (_, space) => space + (0, visible_text.Vx)(":")).replace(OLD_COMMAND, `#${(0, visible_text.Vx)("#")}`);
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
		function createRunnerLog(isDebug = core._o()) {
			const used = {
				failure: 0,
				warning: 0,
				notice: 0
			};
			return {
				info: (text) => core.pq(logLine(text)),
				warning: (text) => {
					used.warning += 1;
					core.$e(logLine(text));
				},
				error: (text, more = []) => {
					used.failure += 1;
					core.z3([text, ...more].map(logLine).join("\n"));
				},
				group: (title, lines) => {
					core.Oh(logLine(title));
					const ended = lines.map((line) => `${logLine(line)}\n`);
					for (const chunk of inChunks(ended)) core.pq(chunk.slice(0, -1));
					core.N4();
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
					if (level === "failure") core.z3(text, place);
					else if (level === "warning") core.$e(text, place);
					else core.lm(text, place);
					return true;
				},
				mask: (secret) => {
					if (secret !== "") core.Pq(secret);
				},
				debug: isDebug ? (text) => core.Yz(logLine(text)) : void 0
			};
		}
	}),
	669: ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {
		__nccwpck_require__.d(__webpack_exports__, { n: () => foreignLine });
		const LONGEST = 200;
		const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu;
		function foreignLine(text, longest = LONGEST) {
			const characters = [...text.toWellFormed().replace(INVISIBLE, " ").trim().slice(0, 2 * longest + 2)];
			return characters.length <= longest ? characters.join("") : `${characters.slice(0, longest - 1).join("")}…`;
		}
	}),
	39: ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {
		__nccwpck_require__.d(__webpack_exports__, {
			P8: () => visibleLine,
			Vx: () => codePointShown,
			gB: () => visibleLines
		});
		const INVISIBLE = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]+/gu;
		const INVISIBLE_BUT_LINES = /(?:(?![\n\t])[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}])+/gu;
		const PLAIN_LINE = /^[\x20-\x7e\u2010-\u2027]*$/;
		const PLAIN_LINES = /^[\n\x20-\x7e\u2010-\u2027]*$/;
		function isPlain(text) {
			return PLAIN_LINES.test(text);
		}
		function visibleLine(text) {
			if (PLAIN_LINE.test(text)) return text;
			return text.toWellFormed().replaceAll("	", " ").replace(INVISIBLE, codePointsShown());
		}
		function visibleLines(text) {
			if (isPlain(text)) return text;
			return text.toWellFormed().replaceAll("\r\n", "\n").replace(INVISIBLE_BUT_LINES, codePointsShown());
		}
		function codePointShown(character) {
			return `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`;
		}
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
	}),
	783: ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {
		__nccwpck_require__.d(__webpack_exports__, {
			Yz: () => core_debug,
			N4: () => endGroup,
			z3: () => error,
			V4: () => getInput,
			pq: () => info,
			_o: () => isDebug,
			lm: () => notice,
			uH: () => setOutput,
			Pq: () => core_setSecret,
			Oh: () => startGroup,
			$e: () => warning
		});
		var external_os_ = __nccwpck_require__(857);
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
			process.stdout.write(cmd.toString() + external_os_.EOL);
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
		const external_crypto_namespaceObject = createRequire(import.meta.url)("crypto");
		var external_fs_ = __nccwpck_require__(896);
		function file_command_issueFileCommand(command, message) {
			const filePath = process.env[`GITHUB_${command}`];
			if (!filePath) throw new Error(`Unable to find environment variable for file command ${command}`);
			if (!external_fs_.existsSync(filePath)) throw new Error(`Missing file at path: ${filePath}`);
			external_fs_.appendFileSync(filePath, `${utils_toCommandValue(message)}${external_os_.EOL}`, { encoding: "utf8" });
		}
		function file_command_prepareKeyValueMessage(key, value) {
			const delimiter = `ghadelimiter_${external_crypto_namespaceObject.randomUUID()}`;
			const convertedValue = utils_toCommandValue(value);
			if (key.includes(delimiter)) throw new Error(`Unexpected input: name should not contain the delimiter "${delimiter}"`);
			if (convertedValue.includes(delimiter)) throw new Error(`Unexpected input: value should not contain the delimiter "${delimiter}"`);
			return `${key}<<${delimiter}${external_os_.EOL}${convertedValue}${external_os_.EOL}${delimiter}`;
		}
		createRequire(import.meta.url)("path");
		(0, __nccwpck_require__(25).C)("BearerCredentialHandler");
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
				return __awaiter(this, void 0, void 0, function* () {
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
				return __awaiter(this, void 0, void 0, function* () {
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
		var summary_awaiter = function(thisArg, _arguments, P, generator) {
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
		const { access, appendFile, writeFile } = external_fs_.promises;
		const SUMMARY_ENV_VAR = "GITHUB_STEP_SUMMARY";
		class Summary {
			constructor() {
				this._buffer = "";
			}
			filePath() {
				return summary_awaiter(this, void 0, void 0, function* () {
					if (this._filePath) return this._filePath;
					const pathFromEnv = process.env[SUMMARY_ENV_VAR];
					if (!pathFromEnv) throw new Error(`Unable to find environment variable for $${SUMMARY_ENV_VAR}. Check if your runtime environment supports job summaries.`);
					try {
						yield access(pathFromEnv, external_fs_.constants.R_OK | external_fs_.constants.W_OK);
					} catch (_a) {
						throw new Error(`Unable to access summary file: '${pathFromEnv}'. Check if the file has correct read/write permissions.`);
					}
					this._filePath = pathFromEnv;
					return this._filePath;
				});
			}
			wrap(tag, content, attrs = {}) {
				const htmlAttrs = Object.entries(attrs).map(([key, value]) => ` ${key}="${value}"`).join("");
				if (!content) return `<${tag}${htmlAttrs}>`;
				return `<${tag}${htmlAttrs}>${content}</${tag}>`;
			}
			write(options) {
				return summary_awaiter(this, void 0, void 0, function* () {
					const overwrite = !!(options === null || options === void 0 ? void 0 : options.overwrite);
					const filePath = yield this.filePath();
					yield (overwrite ? writeFile : appendFile)(filePath, this._buffer, { encoding: "utf8" });
					return this.emptyBuffer();
				});
			}
			clear() {
				return summary_awaiter(this, void 0, void 0, function* () {
					return this.emptyBuffer().write({ overwrite: true });
				});
			}
			stringify() {
				return this._buffer;
			}
			isEmptyBuffer() {
				return this._buffer.length === 0;
			}
			emptyBuffer() {
				this._buffer = "";
				return this;
			}
			addRaw(text, addEOL = false) {
				this._buffer += text;
				return addEOL ? this.addEOL() : this;
			}
			addEOL() {
				return this.addRaw(external_os_.EOL);
			}
			addCodeBlock(code, lang) {
				const attrs = Object.assign({}, lang && { lang });
				const element = this.wrap("pre", this.wrap("code", code), attrs);
				return this.addRaw(element).addEOL();
			}
			addList(items, ordered = false) {
				const tag = ordered ? "ol" : "ul";
				const listItems = items.map((item) => this.wrap("li", item)).join("");
				const element = this.wrap(tag, listItems);
				return this.addRaw(element).addEOL();
			}
			addTable(rows) {
				const tableBody = rows.map((row) => {
					const cells = row.map((cell) => {
						if (typeof cell === "string") return this.wrap("td", cell);
						const { header, data, colspan, rowspan } = cell;
						const tag = header ? "th" : "td";
						const attrs = Object.assign(Object.assign({}, colspan && { colspan }), rowspan && { rowspan });
						return this.wrap(tag, data, attrs);
					}).join("");
					return this.wrap("tr", cells);
				}).join("");
				const element = this.wrap("table", tableBody);
				return this.addRaw(element).addEOL();
			}
			addDetails(label, content) {
				const element = this.wrap("details", this.wrap("summary", label) + content);
				return this.addRaw(element).addEOL();
			}
			addImage(src, alt, options) {
				const { width, height } = options || {};
				const attrs = Object.assign(Object.assign({}, width && { width }), height && { height });
				const element = this.wrap("img", null, Object.assign({
					src,
					alt
				}, attrs));
				return this.addRaw(element).addEOL();
			}
			addHeading(text, level) {
				const tag = `h${level}`;
				const allowedTag = [
					"h1",
					"h2",
					"h3",
					"h4",
					"h5",
					"h6"
				].includes(tag) ? tag : "h1";
				const element = this.wrap(allowedTag, text);
				return this.addRaw(element).addEOL();
			}
			addSeparator() {
				const element = this.wrap("hr", null);
				return this.addRaw(element).addEOL();
			}
			addBreak() {
				const element = this.wrap("br", null);
				return this.addRaw(element).addEOL();
			}
			addQuote(text, cite) {
				const attrs = Object.assign({}, cite && { cite });
				const element = this.wrap("blockquote", text, attrs);
				return this.addRaw(element).addEOL();
			}
			addLink(text, href) {
				const element = this.wrap("a", text, { href });
				return this.addRaw(element).addEOL();
			}
		}
		new Summary();
		createRequire(import.meta.url)("string_decoder");
		const external_events_namespaceObject = createRequire(import.meta.url)("events");
		createRequire(import.meta.url)("child_process");
		createRequire(import.meta.url)("assert");
		const { chmod, copyFile, lstat, mkdir, open: io_util_open, readdir, rename, rm, rmdir, stat, symlink, unlink } = external_fs_.promises;
		process.platform;
		external_fs_.constants.O_RDONLY;
		const external_timers_namespaceObject = createRequire(import.meta.url)("timers");
		process.platform;
		external_events_namespaceObject.EventEmitter;
		class ExecState extends external_events_namespaceObject.EventEmitter {
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
				else if (this.processExited) this.timeout = (0, external_timers_namespaceObject.setTimeout)(ExecState.HandleTimeout, this.delay, this);
			}
			_debug(message) {
				this.emit("debug", message);
			}
			_setResult() {
				let error;
				if (this.processExited) {
					if (this.processError) error = /* @__PURE__ */ new Error(`There was an error when attempting to execute the process '${this.toolPath}'. This may indicate the process failed to start. Error: ${this.processError}`);
					else if (this.processExitCode !== 0 && !this.options.ignoreReturnCode) error = /* @__PURE__ */ new Error(`The process '${this.toolPath}' failed with exit code ${this.processExitCode}`);
					else if (this.processStderr && this.options.failOnStdErr) error = /* @__PURE__ */ new Error(`The process '${this.toolPath}' failed because one or more lines were written to the STDERR stream`);
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
		external_os_.platform();
		external_os_.arch();
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
		function setOutput(name, value) {
			if (process.env["GITHUB_OUTPUT"] || "") return file_command_issueFileCommand("OUTPUT", file_command_prepareKeyValueMessage(name, value));
			process.stdout.write(external_os_.EOL);
			command_issueCommand("set-output", { name }, utils_toCommandValue(value));
		}
		function isDebug() {
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
			process.stdout.write(message + external_os_.EOL);
		}
		function startGroup(name) {
			command_issue("group", name);
		}
		function endGroup() {
			command_issue("endgroup");
		}
	}),
	728: ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {
		__nccwpck_require__.d(__webpack_exports__, {
			BpQ: () => minLength,
			BuJ: () => getDotPath,
			FsL: () => pipe,
			IeY: () => custom,
			Ikc: () => object,
			L5J: () => unknown,
			NpB: () => fallback,
			Wwf: () => minValue,
			Y2b: () => safeInteger,
			YOg: () => array,
			YjP: () => string,
			aig: () => number,
			cl6: () => nullish,
			euz: () => literal,
			g1P: () => record,
			is: () => is,
			lqM: () => optional,
			mee: () => nullable,
			pdi: () => transform,
			xLC: () => safeParse,
			yGV: () => regex,
			z6Y: () => check,
			zMY: () => boolean
		});
		const DEFAULT_CONFIG = {
			lang: void 0,
			message: void 0,
			abortEarly: void 0,
			abortPipeEarly: void 0
		};
		/* @__NO_SIDE_EFFECTS__ */
		function getGlobalConfig(config$1) {
			if (!config$1 && true) return DEFAULT_CONFIG;
			return {
				lang: config$1?.lang ?? void 0,
				message: config$1?.message,
				abortEarly: config$1?.abortEarly ?? void 0,
				abortPipeEarly: config$1?.abortPipeEarly ?? void 0
			};
		}
		/* @__NO_SIDE_EFFECTS__ */
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
			const message$1 = other?.message ?? context.message ?? (context.reference, issue.lang, void 0) ?? (isSchema ? (issue.lang, void 0) : null) ?? config$1.message ?? (issue.lang, void 0);
			if (message$1 !== void 0) issue.message = typeof message$1 === "function" ? message$1(issue) : message$1;
			if (isSchema) dataset.typed = false;
			if (dataset.issues) dataset.issues.push(issue);
			else dataset.issues = [issue];
		}
		/* @__NO_SIDE_EFFECTS__ */
		function _isSameValueZero(value1, value2) {
			return value1 === value2 || Number.isNaN(value1) && Number.isNaN(value2);
		}
		/* @__NO_SIDE_EFFECTS__ */
		function _isValidObjectKey(object$1, key) {
			return Object.prototype.hasOwnProperty.call(object$1, key) && key !== "__proto__" && key !== "prototype" && key !== "constructor";
		}
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
		/* @__NO_SIDE_EFFECTS__ */
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
		const ABORT_EARLY_CONFIG = { abortEarly: true };
		/* @__NO_SIDE_EFFECTS__ */
		function getFallback(schema, dataset, config$1) {
			return typeof schema.fallback === "function" ? schema.fallback(dataset, config$1) : schema.fallback;
		}
		/* @__NO_SIDE_EFFECTS__ */
		function fallback(schema, fallback$1) {
			return _standardSchema({
				...schema,
				fallback: fallback$1,
				"~run"(dataset, config$1) {
					const outputDataset = schema["~run"](dataset, config$1);
					return outputDataset.issues ? {
						typed: true,
						value: /* @__PURE__ */ getFallback(this, outputDataset, config$1)
					} : outputDataset;
				}
			});
		}
		/* @__NO_SIDE_EFFECTS__ */
		function getDefault(schema, dataset, config$1) {
			return typeof schema.default === "function" ? schema.default(dataset, config$1) : schema.default;
		}
		/* @__NO_SIDE_EFFECTS__ */
		function is(schema, input) {
			return !schema["~run"]({ value: input }, ABORT_EARLY_CONFIG).issues;
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
	}),
	25: ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {
		__nccwpck_require__.d(__webpack_exports__, { C: () => notBundled });
		function notBundled(name, inUse = {}) {
			function refuse() {
				throw new Error(`Not bundled: ${name}`);
			}
			return new Proxy(Object.assign(refuse, inUse), { get: (target, member) => typeof member === "symbol" || member in target ? Reflect.get(target, member) : notBundled(`${name}.${member}`) });
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
		var depQueues = /* @__PURE__ */ new Set();
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
var __webpack_exports__ = __nccwpck_require__(874);
__webpack_exports__ = await __webpack_exports__;

export {  };