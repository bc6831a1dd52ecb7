// index.js
const load_os = () => process.getBuiltinModule("os");
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
	return utils_toCommandValue(s).replace(/%/g, "%25").replace(/\r/g, "%0D").replace(/\n/g, "%0A");
}
function escapeProperty(s) {
	return utils_toCommandValue(s).replace(/%/g, "%25").replace(/\r/g, "%0D").replace(/\n/g, "%0A").replace(/:/g, "%3A").replace(/,/g, "%2C");
}
const load_crypto = () => process.getBuiltinModule("crypto");
const load_fs = () => process.getBuiltinModule("fs");
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
function notBundled(name, inUse = {}) {
	function refuse() {
		throw new Error(`Not bundled: ${name}`);
	}
	return new Proxy(Object.assign(refuse, inUse), { get: (target, member) => typeof member === "symbol" || member in target ? Reflect.get(target, member) : notBundled(`${name}.${member}`) });
}
notBundled("BearerCredentialHandler");
const load_events = () => process.getBuiltinModule("events");
load_fs().constants.O_RDONLY;
const load_timers = () => process.getBuiltinModule("timers");
load_events().EventEmitter;
var ExecState = class ExecState extends load_events().EventEmitter {
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
};
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
function core_setOutput(name, value) {
	if (process.env["GITHUB_OUTPUT"] || "") return file_command_issueFileCommand("OUTPUT", file_command_prepareKeyValueMessage(name, value));
	process.stdout.write(load_os().EOL);
	command_issueCommand("set-output", { name }, utils_toCommandValue(value));
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
const WORST_FIRST = finding_SEVERITY_LEVELS;
function finding_severityRank(level) {
	return WORST_FIRST.indexOf(level) + 1;
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
const finding_CLOSING_STATUSES = new Map([
	["FALSE_POSITIVE", "false positive"],
	["WONT_FIX", "will not be fixed"],
	["MITIGATED", "mitigated"],
	["DUPLICATE", "duplicate"]
]);
function finding_isOpen({ resolution }) {
	return ![...finding_CLOSING_STATUSES.keys()].some((status) => status === resolution);
}
const REASON_CODES = {
	FALSE_POSITIVE: [
		"not_reachable",
		"guarded_elsewhere",
		"intended_behavior",
		"misread_code",
		"bad_assumption"
	],
	WONT_FIX: [
		"risk_accepted",
		"out_of_scope",
		"not_worth_fixing",
		"code_being_removed"
	],
	MITIGATED: [
		"compensating_control",
		"limited_exposure",
		"monitored"
	],
	DUPLICATE: ["duplicate_of_finding", "same_root_cause"],
	NOT_STARTED: []
};
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
function visible_text_visibleLines(text) {
	if (visible_text_isPlain(text)) return text;
	return visible_text_replaceInvisible(text.toWellFormed().replaceAll("\r\n", "\n").replace(TERMINAL_STYLE, ""), (character) => character === "\n" || character === "	" ? character : codePointShown(character));
}
function visible_text_hasInvisible(text) {
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
function wholeCharacters(text, units) {
	const last = text.charCodeAt(units - 1);
	return text.slice(0, last >= 55296 && last <= 56319 ? units - 1 : units);
}
const LONGEST = 200;
const INVISIBLE_AS_SPACE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
function visible_text_foreignLine(text, longest = LONGEST) {
	const characters = [...visible_text_replaceInvisible(text.toWellFormed(), (character) => INVISIBLE_AS_SPACE.test(character) ? " " : character).replace(/\s+/g, " ").trim().slice(0, 2 * longest + 2)];
	return characters.length <= longest ? characters.join("") : `${characters.slice(0, longest - 1).join("")}\u2026`;
}
const MOST_SHOWN = 20;
function visible_text_listed(values) {
	const shown = values.slice(0, MOST_SHOWN).map((word) => visible_text_foreignLine(word));
	const more = values.length - shown.length;
	return `${shown.join(", ")}${more > 0 ? `, and ${more} more` : ""}`;
}
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
[
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
function result_sentencesOf({ cause, nextStep }) {
	return nextStep === "" ? cause : `${cause} ${nextStep}`;
}
var result_Stop = class {
	cause;
	constructor(cause) {
		this.cause = cause;
	}
};
function stopCause(signal) {
	if (!signal.aborted) return void 0;
	const reason = signal.reason;
	return reason instanceof result_Stop ? reason.cause : "signal";
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
new RegExp(`^.{501,}`, "su");
finding_countSeverities([]);
const COMMAND_AT_START = /^([^\S\n]*):(?=:)/gm;
const OLD_COMMAND = /##(?=\[)/g;
function logLine(text) {
	return trusted(escapeCommands(visibleLine(text)));
}
function logLines(text) {
	return trusted(escapeCommands(visible_text_visibleLines(text)));
}
function escapeCommands(lines) {
	return lines.replace(COMMAND_AT_START, (_, space) => space + codePointShown(":")).replace(OLD_COMMAND, `#${codePointShown("#")}`);
}
function trusted(text) {
	return text;
}
const CHUNK = 65536;
function* log_text_inChunks(pieces) {
	let chunk = "";
	for (const piece of pieces) {
		chunk += piece;
		if (chunk.length < CHUNK) continue;
		yield chunk;
		chunk = "";
	}
	if (chunk !== "") yield chunk;
}
const LONGEST_URL = 2e3;
function linkTarget(url, allowed) {
	const href = allowedAddress(url, allowed)?.replaceAll("&", "&amp;");
	return href !== void 0 && href.length > LONGEST_URL ? void 0 : href;
}
function allowedAddress(url, allowed) {
	if (url.length > LONGEST_URL || visible_text_hasInvisible(url) || !URL.canParse(url)) return void 0;
	const parsed = new URL(url);
	if (!/^https?:$/.test(parsed.protocol) || parsed.username !== "" || parsed.password !== "") return void 0;
	if (!allowed.some((prefix) => liesUnder(parsed, prefix))) return void 0;
	const fragment = parsed.href.indexOf("#");
	const href = parsed.href.replace(ENCODED, (sign, at) => at === fragment ? sign : percentEncoded(sign));
	return href.length > LONGEST_URL ? void 0 : href;
}
const ENCODED = /[^A-Za-z0-9\-._~:/?&+,;=%]|%(?![\dA-Fa-f]{2})/g;
function liesUnder(url, prefix) {
	if (!URL.canParse(prefix)) return false;
	const root = new URL(prefix);
	return url.origin === root.origin && root.pathname.endsWith("/") && url.pathname.startsWith(root.pathname);
}
function percentEncoded(character) {
	return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}
const BREAK = "&#8203;";
const HEX_PIECES = /[0-9a-f]{1,6}/gi;
const TEXT_TOKENS = /(?:(?!#\uFE0F\u20E3)[@#$&<>`*_[\]~|\\!])+|www\.|:\/\/|:(?=[\w+-]{1,60}(?::|$))|GH-|[0-9a-f]{7,}|[ \t]{2,}|\t/gi;
const CODE_TOKENS = /[#$&<>`*_[\]~|\\!]+|(?<=[\w.+-])@|www\.|:\/\//gi;
const FIRST_ON_LINE = /^( ?\d*)([-+=.:)])/;
const COLOUR = /^ *(?:#|rgb|hsl)/i;
function escapeText(text) {
	const line = visibleLine(text);
	return line.replace(TEXT_TOKENS, (token, offset) => isNumber(line, token, offset) ? `<code>${token}</code>` : textToken(token)).replace(FIRST_ON_LINE, (_, before, mark) => before + entity(mark));
}
function escapeCode(text) {
	const escaped = visibleLine(text).replace(CODE_TOKENS, codeToken);
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
function markdown_md(strings, ...values) {
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
	return source in value ? value[source] : value.map(markdown_toText).join("");
}
function markdown_toText(markdown) {
	return markdown[source];
}
function markdown_join(pieces, separator) {
	return safe(pieces.map(markdown_toText).filter((part) => part !== "").join(separator[source]));
}
const markdown_NOTHING = safe("");
const markdown_BLANK_LINE = safe("\n\n");
function markdown_inlineCode(text) {
	return text === "" ? markdown_NOTHING : safe(`<code>${escapeCode(text)}</code>`);
}
function markdown_link(text, url, allowed) {
	const target = linkTarget(url, allowed);
	const shown = sourceOf(text);
	return safe(target === void 0 ? shown : `[${shown}](${target})`);
}
function safe(text) {
	return { [source]: text };
}
const TOOL = {
	name: "Scangate",
	version: "0.1.0",
	informationUri: "https://github.com/scangate/scangate"
};
function docsPage(name, section) {
	const anchor = section === void 0 ? "" : `#${section}`;
	return `${TOOL.informationUri}/blob/HEAD/docs/${name}.md${anchor}`;
}
const SPECIAL = new RegExp(`(\`[^\`]+\`|${docsPage("[a-z-]+").replaceAll(".", "\\.")}(?:#[a-z-]+)?)`);
function renderCodeSpans(text, renderRest = (rest) => markdown_md`${rest}`) {
	return markdown_md`${text.split(SPECIAL).map((piece, index) => index % 2 === 1 ? renderSpecial(piece) : renderRest(piece))}`;
}
function renderSpecial(piece) {
	if (piece.startsWith("`")) return markdown_inlineCode(piece.slice(1, -1));
	const [page, section] = piece.slice(piece.lastIndexOf("docs/")).split("#");
	const heading = section?.replaceAll("-", " ").replace(/^./, (letter) => letter.toUpperCase());
	return markdown_link(heading ?? page ?? "", piece, [`${TOOL.informationUri}/`]);
}
function countOf(count, noun) {
	return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
function writeTriageOutputs(outputs) {
	core_setOutput("rerun", outputs.rerun);
}
const load_node_fs = () => process.getBuiltinModule("node:fs");
async function attempt(what, warn, send) {
	try {
		return await send();
	} catch (error) {
		warn(`Could not write the ${what}: ${messageOf(error)}. The result is not affected.`);
		return;
	}
}
function messageOf(error) {
	return error instanceof Error ? error.message.replace(/[.\s]+$/, "") : "unexpected error";
}
async function writeJobSummary(markdown) {
	const file = process.env["GITHUB_STEP_SUMMARY"];
	if (!file) throw new Error("the runner names no file for it in GITHUB_STEP_SUMMARY");
	(0, load_node_fs().appendFileSync)(file, markdown);
}
const load_node_net = () => process.getBuiltinModule("node:net");
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
function input_forms_quote(value) {
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
function input_forms_createInputReader(source = {
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
			const shown = name === "publish-password" ? "wrong" : input_forms_quote(given);
			if (found === void 0) faultOf(name)(`is ${shown}. Use one of: ${legal.join(", ")}.`);
			return found ?? INPUT_DEFAULTS[name];
		},
		wholeNumber: (name, most) => {
			const given = text(name);
			if (given === void 0) return void 0;
			const value = /^\d{1,15}$/.test(given) ? Number(given) : NaN;
			if (value >= 1 && value <= most) return value;
			const range = most === Number.MAX_SAFE_INTEGER ? "1 or more" : `from 1 to ${most}`;
			faultOf(name)(`is ${input_forms_quote(given)}. Use a whole number, ${range}.`);
		},
		faultOf,
		mask: (secret) => {
			if (secret !== "") source.setSecret(secret);
		},
		faults
	};
}
const LONGEST_CHECK_NAME = 100;
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
function readTriageInputs(source) {
	const reader = input_forms_createInputReader(source);
	const { connection, withoutToken, missing, warnings } = readConnection(reader);
	const triageToken = usableToken(reader, "triage-token", reader.text("triage-token") ?? "");
	const given = reader.text("who");
	const isWho = given === "others" || given === "writers";
	const checkName = readCheckName(reader);
	const withheld = withoutToken ? [TOKEN_EMPTY] : [];
	const invalid = isWho || given === void 0 ? [] : [WHO_INVALID];
	return {
		inputs: {
			...connection,
			checkName,
			jobName: reader.text("job-name"),
			triageToken,
			who: isWho ? given : "others"
		},
		faults: [
			...reader.faults,
			...missing,
			...withheld,
			...invalid
		],
		warnings
	};
}
const WHO_INVALID = "`who` is not valid. Use `others` or `writers`.";
const TOKEN_EMPTY = "`api-token` is empty. Use the token of the gate. A fork has no secrets: disable this workflow there.";
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
function target_isCommitId(value) {
	return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(value);
}
function target_disclosureOf(target) {
	if (target?.repository.isPublic === false) return "everything";
	switch (target?.event) {
		case "pull_request":
		case "pull_request_target":
		case "merge_group": return "without-proof";
		case "push":
		case "schedule":
		case "workflow_dispatch":
		case void 0: return "labels";
	}
}
const Id = pipe(number(), safeInteger(), minValue(1));
const CommitId = pipe(string(), check(target_isCommitId, "not a full commit id"));
const schemas_ShaOf = pipe(object({ sha: CommitId }), transform(({ sha }) => sha));
const Timestamp = pipe(string(), isoTimestamp(), transform((text) => new Date(text)), check((date) => !Number.isNaN(date.getTime()), "not a time"));
const WebAddress = pipe(nullish(string()), transform((value) => {
	const url = value == null ? null : URL.parse(value);
	return url?.protocol === "https:" || url?.protocol === "http:" ? url.href : void 0;
}));
const Repository = object({
	full_name: string(),
	visibility: optional(string()),
	private: optional(dist_boolean())
});
function isPublicRepository(payload) {
	const parsed = safeParse(object({ repository: Repository }), payload);
	return !parsed.success || isPublic(parsed.output.repository);
}
function isPublic({ visibility, private: isPrivate }) {
	return visibility === void 0 ? isPrivate !== true : visibility === "public";
}
function malformed(event, issues) {
	return result_err({
		reason: "configuration",
		cause: `The payload of the \`${event}\` event is not as documented: \`${getDotPath(issues[0]) ?? "the payload"}\` is missing or malformed.`,
		nextStep: "Re-run the workflow. Do not override `GITHUB_EVENT_PATH` or `GITHUB_EVENT_NAME`."
	});
}
function readPayload(eventPath) {
	try {
		return result_ok(JSON.parse(String((0, load_node_fs().readFileSync)(eventPath))));
	} catch (error) {
		return result_err({
			reason: "configuration",
			cause: `Could not read the event payload at \`GITHUB_EVENT_PATH\`: ${error instanceof SyntaxError ? "it is not JSON" : "the file cannot be opened"}.`,
			nextStep: "Re-run the workflow. Do not override `GITHUB_EVENT_PATH`."
		});
	}
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
const load_node_diagnostics_channel = () => process.getBuiltinModule("node:diagnostics_channel");
const load_node_http = () => process.getBuiltinModule("node:http");
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
function useProxy(env, baseUrl, node) {
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
		const reason = new result_Stop(cause);
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
			abortLater(search, SEARCH_MS, new result_Stop("timeout"));
			const hurry = () => abortLater(search, SEARCH_AFTER_SIGNAL_MS, new result_Stop("signal"));
			if (signalled.signal.aborted) hurry();
			else signalled.signal.addEventListener("abort", hurry, { once: true });
			return search.signal;
		}
	};
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
			for (const chunk of log_text_inChunks(ended)) info(chunk.slice(0, -1));
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
async function readSurroundings(baseUrl) {
	const proxyFault = useProxy(process.env, baseUrl);
	if (proxyFault !== void 0) return result_err(proxyFault);
	const environment = readEnvironment(process.env);
	if (!environment.ok) return environment;
	const payload = readPayload(environment.value.eventPath);
	if (!payload.ok) return payload;
	return result_ok({
		environment: environment.value,
		payload: payload.value
	});
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
const STATE = /^<!-- scangate-state ([!-=?-~]{1,20000}) -->$/;
const MARKER = /^<!-- scangate:v1 check=([0-9a-f]{16}) head=([0-9a-f]{40,64}) run=(\d{1,15}) attempt=(\d{1,15}) -->$/;
function readMarker(comment, checkName) {
	const [line = ""] = comment.split(/\r?\n/, 1);
	const [, hash, headSha = "", runId, runAttempt] = MARKER.exec(line) ?? [];
	if (hash !== hashOf(checkName) || !target_isCommitId(headSha)) return void 0;
	return {
		checkName,
		headSha,
		runId: Number(runId),
		runAttempt: Number(runAttempt)
	};
}
function readState(comment) {
	const [, line = ""] = comment.split(/\r?\n/, 2);
	return STATE.exec(line)?.[1];
}
function comment_marker_isLater(a, b) {
	return a.runId === b.runId ? a.runAttempt > b.runAttempt : a.runId > b.runId;
}
function comment_marker_saysTheSame(comment, body) {
	return essence(shownText(comment)) === essence(body);
}
function shownText(comment) {
	return comment.split(/\r?\n/).slice(readState(comment) === void 0 ? 1 : 2).join("\n");
}
function essence(text) {
	return text.replace(/\r\n/g, "\n").replace(/\/actions\/runs\/\d+(?:\/(?:attempts|job)\/\d+)*/g, "/actions/runs/").trim();
}
function hashOf(checkName) {
	return (0, load_node_crypto().createHash)("sha256").update(checkName).digest("hex").slice(0, 16);
}
function comment_marker_ownComments(posted, checkName, author) {
	return markedComments(posted.filter(({ author: writer }) => writer !== void 0 && isBy(writer, author)), checkName);
}
function markedComments(posted, checkName) {
	return posted.flatMap(({ id, url, body }) => {
		const marker = readMarker(body, checkName);
		return marker === void 0 ? [] : [{
			id,
			url,
			body,
			marker,
			state: readState(body)
		}];
	}).sort((a, b) => a.id - b.id);
}
function isBy(writer, author) {
	const login = writer.login.toLowerCase();
	const wanted = author.toLowerCase();
	if (wanted.endsWith("[bot]")) return login === wanted && writer.type === "Bot";
	return login === wanted || login === `${wanted}[bot]` && writer.type === "Bot";
}
function http_client_HttpClient() {
	return notBundled("HttpClient", {
		getAgent: () => void 0,
		getAgentDispatcher: () => void 0
	});
}
const undici_fetch = notBundled("fetch of undici");
var utils_awaiter = function(thisArg, _arguments, P, generator) {
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
	const proxyFetch = (url, opts) => utils_awaiter(this, void 0, void 0, function* () {
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
var RequestError = class extends Error {
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
};
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
var Octokit = class {
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
};
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
function unusable({ operation, permission }, message) {
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
	const message = errors_messageOf(response.data);
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
function errors_messageOf(data) {
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
	return request.tooMany === void 0 ? result_ok(items) : result_err(unusable(request, request.tooMany));
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
const Payload = object({
	action: string(),
	issue: object({
		number: Id,
		pull_request: nullish(unknown())
	}),
	comment: object({
		id: Id,
		body: nullish(string(), ""),
		user: nullish(object({
			login: string(),
			id: Id,
			type: string()
		})),
		created_at: Timestamp,
		updated_at: Timestamp,
		performed_via_github_app: nullish(unknown())
	}),
	sender: nullish(object({ id: Id }))
});
function readIssueComment(payload) {
	const parsed = safeParse(Payload, payload);
	if (!parsed.success) return malformed("issue_comment", parsed.issues);
	const { action, issue, comment, sender } = parsed.output;
	return result_ok({
		action,
		pullRequest: issue.pull_request == null ? void 0 : issue.number,
		id: comment.id,
		body: comment.body,
		author: comment.user ?? void 0,
		senderId: sender?.id,
		byApp: comment.performed_via_github_app != null,
		createdAt: comment.created_at,
		updatedAt: comment.updated_at
	});
}
const MayWriteAs = object({
	permission: pipe(string(), transform((permission) => permission === "admin" || permission === "write")),
	user: nullish(object({ id: number() }))
});
async function readPermission(github, login, operation, answer) {
	if (login === "") return result_ok(void 0);
	return octokit_read(github, {
		operation,
		permission: "metadata: read",
		route: "GET /repos/{owner}/{repo}/collaborators/{username}/permission",
		parameters: { username: login },
		answer,
		absent: result_ok(void 0)
	});
}
async function userMayWrite(github, { login, id }) {
	const shown = await readPermission(github, login, "read the commenter's permission", MayWriteAs);
	return shown.ok ? result_ok(shown.value?.permission === true && shown.value.user?.id === id) : shown;
}
const permission = "pull-requests: read";
const MaybeAccount = pipe(nullish(union([object({
	id: Id,
	login: string(),
	type: nullish(string())
}), strictObject({})])), transform((shown) => shown != null && "id" in shown ? {
	id: shown.id,
	login: shown.login,
	isBot: shown.type === "Bot"
} : void 0));
const PullRequest = pipe(object({
	user: MaybeAccount,
	assignees: nullish(array(MaybeAccount), []),
	head: object({ sha: CommitId }),
	commits: pipe(number(), safeInteger(), minValue(0))
}), transform(({ user: author, assignees, head, commits: commitCount }) => {
	const shown = (assignees ?? []).filter((one) => one !== void 0);
	return {
		headSha: head.sha,
		author,
		assignees: shown,
		commitCount
	};
}));
const Commits = array(pipe(object({
	sha: CommitId,
	author: MaybeAccount,
	committer: MaybeAccount,
	parents: array(schemas_ShaOf),
	commit: object({
		message: nullish(string(), ""),
		verification: nullish(object({ verified: dist_boolean() }))
	})
}), transform(({ sha, author, committer, parents, commit }) => {
	const verified = commit.verification?.verified === true;
	return {
		sha,
		parents,
		author,
		committer,
		coAuthors: coAuthorsOf(commit.message ?? ""),
		verified
	};
})));
const MOST_LISTED = 250;
const MOST_COMMITS = 300;
async function readPullRequestPeople(github, pullRequest) {
	const operation = "read whose work the pull request is";
	const parameters = { pull_number: pullRequest };
	const pull = await octokit_read(github, {
		operation,
		permission,
		route: "GET /repos/{owner}/{repo}/pulls/{pull_number}",
		parameters,
		answer: PullRequest
	});
	if (!pull.ok) return pull;
	if (pull.value.commitCount > MOST_LISTED) return result_ok({
		...pull.value,
		commits: []
	});
	const commits = await octokit_readPages(github, {
		operation,
		permission,
		route: "GET /repos/{owner}/{repo}/pulls/{pull_number}/commits",
		parameters,
		answer: Commits
	}, MOST_COMMITS);
	return commits.ok ? result_ok({
		...pull.value,
		commits: commits.value
	}) : commits;
}
const CO_AUTHOR = /^co-authored-by:[^\n<]*<([^\n<>]*)>/gim;
const NOREPLY = /^(?:(\d{1,15})\+)?([^@+]+)@users\.noreply\./i;
function coAuthorsOf(message) {
	return Array.from(message.matchAll(CO_AUTHOR), ([, address = ""]) => {
		const [, id, login] = NOREPLY.exec(address) ?? [];
		return login === void 0 ? void 0 : {
			id: id === void 0 ? void 0 : Number(id),
			login
		};
	});
}
const HASH_LENGTH = 8;
const LABEL = /^[\w-]{1,12}$/;
function traitsOf({ id, severity, title, location, label }) {
	return {
		id: id === void 0 ? void 0 : shortHash(["id", id]),
		fingerprint: shortHash([
			severity.level,
			title,
			location?.path ?? ""
		]),
		level: severity.level,
		label: LABEL.test(label) ? label : ""
	};
}
function shortHash(values) {
	return (0, load_node_crypto().createHash)("sha256").update(JSON.stringify(values)).digest("base64url").slice(0, HASH_LENGTH);
}
const NO_ID = ".".repeat(HASH_LENGTH);
function readHistory(text) {
	const values = text.split(":");
	const headAt = (place) => {
		const [head = "", complete, findings = ""] = values.slice(place);
		return {
			head,
			complete: complete === "1",
			findings: findings.split(",").filter(Boolean).map(history_read)
		};
	};
	return {
		...headAt(0),
		before: values.length > 3 ? headAt(3) : void 0
	};
}
function history_read(entry) {
	const letter = entry.charAt(0);
	const small = letter.toLowerCase();
	const id = entry.slice(1, 9);
	return {
		level: finding_SEVERITY_LEVELS.find((level) => level.startsWith(small)) ?? "unknown",
		id: id === NO_ID ? void 0 : id,
		fingerprint: entry.slice(9, 17),
		label: entry.slice(17),
		blocks: letter !== small
	};
}
function comment_state_splitState(state = "") {
	const [mark = "", badness = "", sealed = ""] = state.split(";");
	return {
		mark,
		badness: /^\d$/.test(badness) ? Number(badness) : 0,
		sealed
	};
}
function readFacts(sealed, owner, seal) {
	const [history = "", page = "", mac = ""] = sealed.split("/");
	if (!seal.isMacOf(mac, signed(`${history}/${page}`, owner))) return {};
	const [scanId = "", publicId = "", gated] = page.split(":").map(decodeURIComponent);
	return {
		history: history === "" ? void 0 : readHistory(history),
		publication: page === "" ? void 0 : {
			scanId,
			publicId,
			gated: gated === "1"
		}
	};
}
function signed(text, { pullRequest, checkName }) {
	return JSON.stringify([
		"facts",
		pullRequest,
		checkName,
		text
	]);
}
function readBranchTip(github, branch) {
	return octokit_read(github, {
		operation: "read the base branch",
		permission: "contents: read",
		route: "GET /repos/{owner}/{repo}/git/ref/{ref}",
		parameters: { ref: `heads/${branch}` },
		answer: pipe(object({
			ref: literal(`refs/heads/${branch}`),
			object: object({
				type: literal("commit"),
				sha: CommitId
			})
		}), transform(({ object }) => ({
			kind: "commit",
			sha: object.sha
		}))),
		absent: result_ok({ kind: "gone" })
	});
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
	oid: CommitId,
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
	headRefOid: CommitId,
	baseRefName: pull_request_state_BranchName,
	baseRef: nullable(object({ target: nullable(object({ oid: CommitId })) })),
	commits: fallback(optional(object({ nodes: array(object({ commit: object({
		oid: CommitId,
		tree: object({ oid: CommitId })
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
const pull_request_state_PullRequest = pipe(object({
	state: picklist(["open", "closed"]),
	updated_at: Timestamp,
	head: object({ sha: CommitId }),
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
		answer: pull_request_state_PullRequest
	});
}
const comment_permission = "pull-requests: write";
const Written = pipe(object({
	id: number(),
	html_url: optional(WebAddress)
}), transform(({ id, html_url: url }) => ({
	id,
	url
})));
async function postComment(github, pullRequest, body, find) {
	const send = () => octokit_read(github, {
		operation: "comment on the pull request",
		permission: comment_permission,
		route: "POST /repos/{owner}/{repo}/issues/{issue_number}/comments",
		parameters: {
			issue_number: pullRequest,
			body
		},
		answer: Written
	});
	const answer = await send();
	if (answer.ok || !answer.error.ambiguous || answer.error.kind === "stopped") return answer;
	await github.pauseAfterLoss();
	const found = await find();
	if (!found.ok) return answer;
	return found.value === void 0 ? send() : result_ok(found.value);
}
function editComment(github, id, body) {
	return octokit_read(github, {
		operation: "update the comment on the pull request",
		permission: comment_permission,
		route: "PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}",
		parameters: {
			comment_id: id,
			body
		},
		answer: Written
	});
}
function replyLine(checkName) {
	return `<!-- scangate-reply:v1 check=${hashOf(checkName)} -->`;
}
function ownReplies(posted, checkName, author) {
	return posted.filter(({ author: by, body }) => by && isBy(by, author) && body.split(/\r?\n/, 1)[0] === replyLine(checkName)).toSorted((a, b) => a.id - b.id);
}
async function syncReply(github, pullRequest, checkName, body) {
	const state = await pull_request_state_readPullRequestState(github, pullRequest);
	const viewer = state.ok ? state.value.viewer : WORKFLOW_AUTHOR;
	const posted = state.ok ? await comment_list_readComments(github, pullRequest, state.value) : state;
	const newest = posted.ok ? ownReplies(posted.value, checkName, viewer).at(-1) : void 0;
	const text = `${replyLine(checkName)}\n${body}`;
	const find = async () => {
		const now = await listComments(github, pullRequest);
		if (!now.ok) return now;
		return result_ok(ownReplies(now.value, checkName, viewer).find((reply) => comment_marker_saysTheSame(reply.body, body)));
	};
	const edited = newest && await editComment(github, newest.id, text);
	if (edited?.ok) return result_ok(void 0);
	if (edited?.error.kind === "stopped") return edited;
	if (edited?.error.ambiguous) {
		await github.pauseAfterLoss();
		const found = await find();
		if (found.ok && found.value !== void 0) return result_ok(void 0);
	}
	const sent = await postComment(github, pullRequest, text, find);
	return sent.ok ? result_ok(void 0) : sent;
}
const reply_permission = "pull-requests: write";
const Reaction = pipe(object({ id: number() }), transform(() => void 0));
function reactToComment(github, commentId, content) {
	return octokit_read(github, {
		operation: "react to the comment",
		permission: reply_permission,
		route: "POST /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions",
		parameters: {
			comment_id: commentId,
			content
		},
		answer: Reaction,
		repeatable: true
	});
}
const reply_Comment = pipe(object({
	body: nullable(string()),
	user: nullable(object({ id: number() }))
}), transform(({ body, user }) => ({
	body: body ?? "",
	authorId: user?.id
})));
function readCurrentComment(github, commentId) {
	return octokit_read(github, {
		operation: "read the comment again",
		permission: "pull-requests: read",
		route: "GET /repos/{owner}/{repo}/issues/comments/{comment_id}",
		parameters: { comment_id: commentId },
		answer: reply_Comment,
		absent: result_ok(void 0)
	});
}
const UNKNOWN_AREA = "";
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
			detail: visible_text_foreignLine(redact(detail))
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
			detail: visible_text_foreignLine(redact(detail)),
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
async function inPool(items, width, work) {
	const answers = [];
	const queue = items.entries();
	const worker = async () => {
		for (const [index, item] of queue) answers[index] = await work(item);
	};
	await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker));
	return answers;
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
function isNotFound(error) {
	return error.kind === "refused" && error.status === 404;
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
function classifyWrite(error) {
	if (error.kind === "stopped" && error.sent === "unknown") return "ambiguous";
	const known = retry_classify(error);
	return error.kind === "invalid" && known === "definite" && !(error.kind === "invalid" && error.status >= 400 && error.status < 500) ? "ambiguous" : known;
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
function pollInterval(advisedMs, random) {
	return (advisedMs ?? DEFAULT_MS) * (1 + random() * LARGEST_JITTER);
}
function waitPatiently(patience, error, random) {
	const failure = retry_classify(error);
	const isRefusal = failure === "definite" && error.kind !== "invalid";
	const wait = waitAdvisedBy(error) ?? pollInterval(void 0, random);
	if (failure === "rate-limited") return Math.max(wait, patience.limited());
	if (failure === "stopped" || patience.failed(isRefusal)) return void 0;
	return (isNotFound(error) ? LAG_MS[patience.count() - 1] : void 0) ?? (isRefusal ? Math.min(wait, MOST_AFTER_REFUSAL_MS) : wait);
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
const ASSUMED_NOTE = {
	notes: ["notes"],
	content: [
		"content",
		"body",
		"text",
		"markdown"
	]
};
const changed = object({
	findingId: string(),
	resolutionStatus: string()
});
const detail = object({ finding: custom(lookup_isRecord, "an object") });
function resolutionBody(resolutionStatus, content) {
	return {
		resolutionStatus,
		note: { content }
	};
}
function decodeChanged(json, sent) {
	const decoded = decode(changed, json);
	if (!decoded.ok) return decoded;
	const { findingId, resolutionStatus } = decoded.value;
	if (findingId !== sent.findingId) return result_err("`findingId` is another finding");
	return resolutionStatus === sent.status ? result_ok(void 0) : result_err("`resolutionStatus` is not the one that was sent");
}
function decodeNotes(json) {
	const decoded = decode(detail, json);
	if (!decoded.ok) return decoded;
	const { finding } = decoded.value;
	const notes = lookup_firstOf(finding, ASSUMED_NOTE.notes, (value) => Array.isArray(value) ? value : void 0)?.map((note) => lookup_text(note) ?? lookup_firstOf(note, ASSUMED_NOTE.content, lookup_text));
	const isWhole = notes?.every((note) => note !== void 0) === true;
	return result_ok({
		resolution: lookup_firstOf(finding, ["resolutionStatus"], lookup_text),
		notes: isWhole ? notes.filter((note) => note !== void 0) : void 0
	});
}
function createTriageApi(options) {
	const { call } = createCaller(options);
	const findingPath = (projectId, findingId) => `/projects/${pathSegment(projectId)}/findings/${pathSegment(findingId)}`;
	return {
		changeResolution: (projectId, { findingId, status, note }, until) => call(until, {
			operation: "change the resolution of a finding",
			method: "PATCH",
			path: `${findingPath(projectId, findingId)}/resolution`,
			body: resolutionBody(status, note),
			attempts: 1,
			atOnce: true,
			decode: (json) => decodeChanged(json, {
				findingId,
				status
			})
		}),
		readNotes: (projectId, findingId, until) => call(until, {
			operation: "read a finding",
			path: findingPath(projectId, findingId),
			decode: decodeNotes
		})
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
const workflow_run_permission = "actions: write";
const Run = pipe(object({
	id: Id,
	workflow_id: Id,
	run_attempt: Id,
	head_sha: CommitId,
	event: string(),
	status: nullish(string(), "unknown"),
	created_at: Timestamp,
	run_started_at: Timestamp,
	triggering_actor: nullish(object({
		login: string(),
		type: string()
	}))
}), transform((run) => ({
	id: run.id,
	workflowId: run.workflow_id,
	attempt: run.run_attempt,
	headSha: run.head_sha,
	event: run.event,
	status: run.status,
	createdAt: run.created_at,
	startedAt: run.run_started_at,
	triggeringActor: run.triggering_actor ?? void 0
})));
const Runs = pipe(object({ workflow_runs: array(Run) }), transform(({ workflow_runs: runs }) => runs));
const Jobs = pipe(object({ jobs: array(pipe(object({
	id: Id,
	run_id: Id,
	run_attempt: Id,
	head_sha: CommitId,
	name: string(),
	status: string(),
	conclusion: nullish(string(), ""),
	completed_at: nullish(Timestamp)
}), transform((job) => ({
	id: job.id,
	runId: job.run_id,
	attempt: job.run_attempt,
	headSha: job.head_sha,
	name: job.name,
	status: job.status,
	conclusion: job.conclusion,
	completedAt: job.completed_at ?? void 0
})))) }), transform(({ jobs }) => jobs));
const Nothing = strictObject({});
const MOST_JOBS = 500;
const MOST_RUNS = 100;
function readWorkflowRun(github, runId) {
	return octokit_read(github, {
		operation: "read the workflow run",
		permission: workflow_run_permission,
		route: "GET /repos/{owner}/{repo}/actions/runs/{run_id}",
		parameters: { run_id: runId },
		answer: Run
	});
}
async function listRunsOfHead(github, { workflowId, headSha }) {
	const runs = await octokit_readPages(github, {
		operation: "list the workflow runs",
		permission: workflow_run_permission,
		route: "GET /repos/{owner}/{repo}/actions/workflows/{workflow_id}/runs",
		parameters: {
			workflow_id: workflowId,
			head_sha: headSha
		},
		answer: Runs,
		tooMany: `more than ${MOST_RUNS} runs of one commit`
	}, MOST_RUNS);
	if (!runs.ok) return runs;
	return result_ok(runs.value.filter((run) => run.headSha === headSha && run.workflowId === workflowId));
}
function listJobs(github, runId) {
	return octokit_readPages(github, {
		operation: "list the jobs of the workflow run",
		permission: workflow_run_permission,
		route: "GET /repos/{owner}/{repo}/actions/runs/{run_id}/jobs",
		parameters: {
			run_id: runId,
			filter: "all"
		},
		answer: Jobs,
		tooMany: `more than ${MOST_JOBS} jobs`
	}, MOST_JOBS);
}
async function rerunJob(github, jobId, before) {
	for (let sends = 1;; sends += 1) {
		const answer = await octokit_read(github, {
			operation: "re-run the job",
			permission: workflow_run_permission,
			route: "POST /repos/{owner}/{repo}/actions/jobs/{job_id}/rerun",
			parameters: { job_id: jobId },
			answer: Nothing
		});
		if (answer.ok) return result_ok(void 0);
		const { error } = answer;
		if (error.kind === "stopped" || sends === 1 && !error.ambiguous) return result_err(error);
		await github.pauseAfterLoss();
		const now = await readWorkflowRun(github, before.id);
		if (now.ok && (now.value.attempt > before.attempt || now.value.status !== "completed")) return result_ok(void 0);
		if (!now.ok || sends === 2) return result_err(error);
	}
}
const PREFIX = "/scangate";
const COMMAND = `${PREFIX} recheck`;
const MOST_LABELS = 20;
const CHANGE_COMMANDS = {
	"false-positive": "FALSE_POSITIVE",
	"wont-fix": "WONT_FIX",
	mitigated: "MITIGATED",
	duplicate: "DUPLICATE",
	reopen: "NOT_STARTED"
};
const ALL_CODES = new Set(Object.values(REASON_CODES).flat());
const LIKE_A_CODE = /^(?!.{8}$)[a-z]+(?:_[a-z]+)+$/i;
function parseCommand(body) {
	const end = body.search(/\r?\n/);
	const line = (end < 0 ? body : body.slice(0, end)).replace(/[ \t]+$/, "");
	if (line !== PREFIX && !/^\/scangate[ \t]/.test(line)) return void 0;
	const [word = "", ...rest] = line.slice(9).split(/[ \t,]+/).filter(Boolean);
	if (word === "recheck") return rest.length === 0 ? { kind: "recheck" } : unclear(`\`${COMMAND}\` takes nothing else on its line.`);
	if (!isChangeWord(word)) return unclear(word === "" ? "The command is missing." : `There is no command ${command_shown(word)}.`);
	return parseChange(word, rest, end < 0 ? "" : body.slice(end).trim());
}
function parseChange(word, given, note) {
	const status = CHANGE_COMMANDS[word];
	const codes = given.filter(isCode);
	const labels = [...new Set(given.filter((text) => !isCode(text)))];
	const [reason] = codes;
	if (codes.length > 1) return unclear("The command has more than one reason code.");
	if (reason !== void 0 && !REASON_CODES[status].includes(reason)) return unclear(`${command_shown(reason)} is not a reason code of \`${word}\`. ${legalCodes(status)}`);
	if (labels.length === 0) return unclear(`\`${PREFIX} ${word}\` names no finding.`);
	if (labels.length > MOST_LABELS) return unclear(`The command names ${labels.length} findings. A command takes up to ${MOST_LABELS}.`);
	return {
		kind: "change",
		change: {
			word,
			status,
			labels,
			reason,
			note
		}
	};
}
function isCode(text) {
	return ALL_CODES.has(text) || LIKE_A_CODE.test(text);
}
function isChangeWord(word) {
	return Object.hasOwn(CHANGE_COMMANDS, word);
}
function legalCodes(status) {
	const codes = REASON_CODES[status].map((code) => `\`${code}\``);
	return codes.length === 0 ? "It takes none." : `Its codes are ${codes.join(", ")}.`;
}
function unclear(cause) {
	return {
		kind: "unclear",
		cause
	};
}
const command_LONGEST_WORD = 60;
function command_shown(word) {
	return `\`${visible_text_cutCharacters(visibleLine(word), command_LONGEST_WORD).replaceAll("`", "'")}\``;
}
function isAsWritten({ author, body }, now) {
	return now.authorId === author.id && inLines(now.body) === inLines(body);
}
function inLines(text) {
	return text.replaceAll("\r\n", "\n");
}
function readCommand(comment) {
	const { action, pullRequest, id, body, author, senderId, createdAt, updatedAt } = comment;
	const ignored = (why) => ({
		kind: "ignored",
		why
	});
	if (action !== "created" || updatedAt.getTime() !== createdAt.getTime()) return ignored("the comment is not new");
	if (pullRequest === void 0) return ignored("the comment is not on a pull request");
	const wanted = parseCommand(body);
	if (wanted === void 0) return ignored(`the first line does not begin with ${PREFIX}`);
	if (author?.type !== "User" || comment.byApp || senderId !== author.id) return ignored("a user did not write the comment");
	return {
		kind: "command",
		command: {
			pullRequest,
			commentId: id,
			author,
			createdAt,
			body,
			wanted
		}
	};
}
function chooseFindings(labels, findings) {
	const titles = new Map(findings.flatMap(({ id, title }) => id === void 0 ? [] : [[id, title]]));
	const chosen = new Map();
	for (const label of labels) {
		const found = chooseOne(label, titles);
		chosen.set(found.kind === "finding" ? `finding ${found.id}` : `label ${label}`, found);
	}
	return [...chosen.values()];
}
function chooseOne(label, titles) {
	const ids = [...titles.keys()];
	const short = label.replace(/^zk-/i, "");
	const exact = ids.filter((id) => shortOf(id) === short);
	const folded = exact.length > 0 ? exact : ids.filter((id) => isSame(shortOf(id), short));
	const [id, other] = titles.has(label) ? [label] : folded;
	if (id === void 0) return {
		kind: "unknown",
		label
	};
	if (other !== void 0) return {
		kind: "ambiguous",
		label
	};
	return {
		kind: "finding",
		label: `ZK-${shortOf(id)}`,
		id,
		title: titles.get(id) ?? ""
	};
}
function shortOf(id) {
	return [...id].slice(-8).join("");
}
function isSame(a, b) {
	return a.toLowerCase() === b.toLowerCase();
}
function decided(refusal) {
	return {
		isFailure: false,
		byHand: false,
		...refusal
	};
}
const CLOSED = decided({
	reason: "closed",
	cause: "The pull request is closed.",
	nextStep: "Reopen it to check it again."
});
const HEAD_MOVED = decided({
	reason: "head-moved",
	cause: "The pull request has another head commit by now.",
	nextStep: "Wait for the run of that commit."
});
const UNDER_WAY = decided({
	reason: "under-way",
	cause: "A run for this commit is under way.",
	nextStep: "Wait until it ends."
});
const ALREADY_RERUN = decided({
	reason: "already-rerun",
	cause: "The job was run again after this comment.",
	nextStep: "If you triaged a finding since, write a new comment."
});
const MAY_LAUNCH = decided({
	reason: "may-launch",
	cause: "A re-run can launch a new scan, because the mark does not show that it reuses this one (`reuse-scan` is `false`, `base-commit` is set, or GitHub did not show the files).",
	nextStep: "A re-run by hand can cost credits.",
	byHand: true
});
const NOT_FAILED = decided({
	reason: "not-failed",
	cause: "The job of the gate did not fail.",
	nextStep: ""
});
const NOT_KNOWN = decided({
	reason: "not-known",
	cause: "No comment of the gate shows which findings were reported for this commit. The sweep needs that comment.",
	nextStep: "Set `comment` to `on-findings` in the workflow of the gate, or comment `/scangate recheck`."
});
const ASKED_BEFORE = decided({
	reason: "asked-before",
	cause: "The triage action already asked for the newest attempt of this run, which left no new result.",
	nextStep: "The log of that attempt says why. A re-run by hand can cost credits.",
	byHand: true
});
const OTHER_BASE = decided({
	reason: "other-base",
	cause: "The merge base of the pull request has changed since the scan, so a re-run can launch a new scan.",
	nextStep: "A re-run by hand can cost credits.",
	byHand: true
});
const NOTHING_BLOCKED = decided({
	reason: "nothing-blocked",
	cause: "No finding blocked this commit, so triage does not change its result.",
	nextStep: ""
});
function stillBlocked(open, blocked) {
	return decided({
		reason: "still-blocked",
		cause: `Of ${blocked} blocking ${blocked === 1 ? "finding" : "findings"}, ${open} ${open === 1 ? "is" : "are"} still open.`,
		nextStep: ""
	});
}
const TOO_YOUNG = decided({
	reason: "too-young",
	cause: "The result of this commit is newer than the comment, or less than a minute older, so its findings may be others than the comment means.",
	nextStep: "Check the findings, wait a minute, then write the command in a new comment."
});
function noMark(checkName, headSha) {
	return decided({
		reason: "no-mark",
		cause: `No check run \`${checkName}\` of commit \`${headSha.slice(0, 7)}\` has a mark that \`api-token\` proves.`,
		nextStep: "If the job of the gate has not ended, wait for it. Use the same `api-token` and `check-name` as the gate. If the token was replaced since, re-run the job by hand: this launches a new scan.",
		byHand: true
	});
}
function otherRun(runId) {
	return decided({
		reason: "other-run",
		cause: `Run ${runId}, which the mark names, is not a run of this pull request and commit in this repository.`,
		nextStep: "Re-run the job by hand.",
		byHand: true
	});
}
function tooManyAttempts(most) {
	return decided({
		reason: "too-many-attempts",
		cause: `The job already ran ${most} times.`,
		nextStep: "Re-run the job by hand, or push a commit.",
		byHand: true
	});
}
function tooOld(days) {
	return decided({
		reason: "too-old",
		cause: `The run is older than ${days} days, and GitHub does not re-run it any more.`,
		nextStep: "Push a commit. An empty commit costs no credits: its files are scanned already."
	});
}
function noJob(jobName, names) {
	return decided({
		reason: "no-job",
		cause: jobName === void 0 ? "The run has several jobs, and `job-name` is empty." : `The run has no single job \`${jobName}\`.`,
		nextStep: `Set \`job-name\` of the triage action to the job that runs the gate.${names.length === 0 ? "" : ` The run has: ${visible_text_listed(names)}.`}`,
		byHand: true
	});
}
function notCompleted(status) {
	return decided({
		reason: "not-completed",
		cause: `The scan is ${visible_text_listed([status])}, not COMPLETED, so a re-run can launch a new scan.`,
		nextStep: "A re-run by hand can cost credits.",
		byHand: true
	});
}
function unreadable(error) {
	const known = error.permission === "checks: write" ? {
		...error,
		permission: "checks: read"
	} : error;
	return stopped({
		cause: errors_causeOf(known),
		nextStep: fixOf(known)
	});
}
function notRerun(error) {
	if (error.kind !== "forbidden") return {
		...unreadable(error),
		reason: "refused"
	};
	return {
		reason: "refused",
		cause: errors_causeOf(error),
		nextStep: lacksPermission(error) ? "Add `actions: write` to the permissions of the triage action." : "GitHub re-runs a run for 30 days and at most 50 times, and not while it is under way. After that, push a commit.",
		isFailure: true,
		byHand: false
	};
}
function stopped({ cause, nextStep }) {
	return {
		reason: "unreadable",
		cause,
		nextStep,
		isFailure: true,
		byHand: true
	};
}
const COMMANDS = `The commands are \`${PREFIX} recheck\`, and ${Object.keys(CHANGE_COMMANDS).map((word) => `\`${PREFIX} ${word}\``).join(", ")}, each with the labels of the findings, such as \`ZK-1A2B3C4D\`.`;
const BY_SERVICE = "To do it by hand, change the finding in the service, or ask a user with access to it. Then comment `/scangate recheck`.";
const NO_TRIAGE_TOKEN = decided({
	reason: "no-triage-token",
	cause: "This repository is not set up to change findings by comment: `triage-token` is empty.",
	nextStep: `A maintainer can set it up, as ${docsPage("triage")} shows.`
});
const EDITED = decided({
	reason: "edited",
	cause: "The comment was edited after it was written.",
	nextStep: "Write the command in a new comment."
});
const DELETED = decided({
	reason: "deleted",
	cause: "The comment was deleted.",
	nextStep: "If you want the change, write the command in a new comment."
});
const NO_ACCESS = decided({
	reason: "no-access",
	cause: "You have no write access any more.",
	nextStep: "Ask a user with write access to write the command."
});
const OVERTAKEN = decided({
	reason: "overtaken",
	cause: "A later command has changed this finding.",
	nextStep: "If you still want the change, write the command in a new comment."
});
const NOTES_UNREADABLE = decided({
	reason: "notes-unreadable",
	cause: "The notes of the finding cannot be read, so it is not known whether a later command has changed it.",
	nextStep: "Write the command again later. If this happens again, change the finding in the service.",
	isFailure: true
});
const TOO_SLOW = decided({
	reason: "too-slow",
	cause: "GitHub or the service took too long to show that the command still holds.",
	nextStep: "Write the command again later.",
	isFailure: true
});
function noLabels(word, chosen) {
	const about = (kind, what) => {
		const names = chosen.filter((one) => one.kind === kind).map(({ label }) => command_shown(label));
		return names.length === 0 ? [] : `${names.join(", ")} ${names.length === 1 ? "is" : "are"} ${what}.`;
	};
	return decided({
		reason: "unclear",
		cause: [about("unknown", `neither the label of a finding of this scan nor a reason code of \`${word}\``), about("ambiguous", "the label of several findings of this scan")].flat().join(" "),
		nextStep: "Write the command in a new comment, with labels from the comment of the gate or full ids. Text goes below the line."
	});
}
const RESULT_PENDING = {
	...UNDER_WAY,
	nextStep: "Wait until it ends, check its findings, then write the command in a new comment."
};
const REPLAYED = decided({
	reason: "replayed",
	cause: "A re-run of this workflow changes no finding.",
	nextStep: "Write the command in a new comment.",
	isFailure: true
});
function blocksNotKnown(open) {
	return decided({
		reason: "not-known",
		cause: `No comment of the gate shows which findings blocked this commit, and ${open} ${open === 1 ? "finding of this scan is" : "findings of this scan are"} still open.`,
		nextStep: "If none of them blocks, comment `/scangate recheck`."
	});
}
const RERUN_THIS = /\bre-run this job\b/gi;
function inNewComment(refusal) {
	return withoutRerun(refusal, "write the command in a new comment");
}
function afterChange(refusal, isReopened) {
	const step = isReopened ? "write the command in a new comment" : "comment `/scangate recheck`";
	if (refusal.reason !== "under-way") return withoutRerun(refusal, step);
	const nextStep = isReopened ? `Wait until it ends, then ${step}.` : `Wait until it ends. If the check still fails, ${step}.`;
	return {
		...refusal,
		nextStep
	};
}
function inSummary(refusal) {
	return withoutRerun(refusal, "see the summary of this job, which has the answer");
}
function withoutRerun(refusal, step) {
	const atStart = `${step.slice(0, 1).toUpperCase()}${step.slice(1)}`;
	const nextStep = refusal.nextStep.replace(RERUN_THIS, (said) => said.startsWith("R") ? atStart : step);
	return {
		...refusal,
		nextStep
	};
}
function change_refusal_unclear(cause) {
	return decided({
		reason: "unclear",
		cause,
		nextStep: COMMANDS
	});
}
const MergeBaseAnswer = object({ merge_base_commit: optional(object({
	sha: CommitId,
	commit: fallback(optional(object({ tree: schemas_ShaOf })), void 0)
})) });
const operation = "read GitHub's comparison of base and head";
const compare_permission = "contents: read";
const COMPARE = "GET /repos/{owner}/{repo}/compare/{basehead}";
async function mergeBaseByCompare(github, { base, head }) {
	for (const page of [2, 1]) {
		const answer = await octokit_read(github, {
			operation,
			permission: compare_permission,
			route: COMPARE,
			parameters: {
				basehead: `${base}...${head}`,
				per_page: 1,
				page
			},
			answer: MergeBaseAnswer
		});
		if (!answer.ok) return result_err(compareFault(answer.error, base));
		const mergeBase = answer.value.merge_base_commit;
		if (mergeBase !== void 0) return result_ok({
			sha: mergeBase.sha,
			tree: mergeBase.commit?.tree
		});
	}
	return result_err({
		kind: "unavailable",
		error: {
			...unusable({
				operation,
				permission: compare_permission
			}, "merge_base_commit is missing"),
			ambiguous: true
		}
	});
}
function compareFault(error, base) {
	if (error.kind === "stopped") return { kind: "stopped" };
	if (error.kind !== "not-found") return {
		kind: "unavailable",
		error
	};
	return /^no common ancestor/i.test(error.message) ? { kind: "no-common-ancestor" } : {
		kind: "unknown-commit",
		base
	};
}
const PER_PAGE = 50;
const open_pull_requests_MOST_PAGES = 6;
const MOST_CHECKS = 20;
const QUERY = `query($owner: String!, $repo: String!, $states: [PullRequestState!], $order: IssueOrder, $first: Int!, $after: String, $most: Int!, $suites: CheckSuiteFilter, $runs: CheckRunFilter) {
  repository(owner: $owner, name: $repo) {
    pullRequests(states: $states, orderBy: $order, first: $first, after: $after) {
      pageInfo { hasNextPage endCursor }
      nodes {
        number
        headRefOid
        commits(last: 1) {
          nodes {
            commit {
              oid
              checkSuites(first: $most, filterBy: $suites) {
                nodes { checkRuns(first: $most, filterBy: $runs) { nodes { conclusion } } }
              }
            }
          }
        }
      }
    }
  }
}`;
const open_pull_requests_operation = "list the open pull requests";
const open_pull_requests_permission = "pull-requests: read";
const open_pull_requests_GraphqlAnswer = object({ data: object({ repository: object({ pullRequests: object({
	pageInfo: object({
		hasNextPage: dist_boolean(),
		endCursor: nullish(string())
	}),
	nodes: array(object({
		number: Id,
		headRefOid: CommitId,
		commits: fallback(optional(object({ nodes: array(object({ commit: object({
			oid: CommitId,
			checkSuites: object({ nodes: array(object({ checkRuns: object({ nodes: array(object({ conclusion: nullish(string()) })) }) })) })
		}) })) })), void 0)
	}))
}) }) }) });
const RestAnswer = array(object({
	number: Id,
	head: object({ sha: CommitId })
}));
async function listOpenPullRequests(github, checkName) {
	const found = [];
	let after;
	for (let page = 1; page <= open_pull_requests_MOST_PAGES; page += 1) {
		const answer = await octokit_read(github, {
			operation: open_pull_requests_operation,
			permission: open_pull_requests_permission,
			route: `POST ${github.graphqlUrl}`,
			parameters: {
				query: QUERY,
				variables: {
					...variablesOf(github, checkName),
					after: after ?? null
				}
			},
			answer: open_pull_requests_GraphqlAnswer,
			repeatable: true
		});
		if (!answer.ok) {
			if (answer.error.kind === "stopped") return result_err(answer.error);
			if (page === 1) return listByRest(github);
			return result_ok({
				pullRequests: found,
				complete: false,
				failure: answer.error
			});
		}
		const { pageInfo, nodes } = answer.value.data.repository.pullRequests;
		found.push(...nodes.map(openOf));
		if (!pageInfo.hasNextPage || pageInfo.endCursor == null) return result_ok({
			pullRequests: found,
			complete: !pageInfo.hasNextPage
		});
		after = pageInfo.endCursor;
	}
	return result_ok({
		pullRequests: found,
		complete: false
	});
}
function variablesOf({ owner, repo }, checkName) {
	return {
		owner,
		repo,
		states: ["OPEN"],
		order: {
			field: "UPDATED_AT",
			direction: "DESC"
		},
		first: PER_PAGE,
		most: MOST_CHECKS,
		suites: { checkName },
		runs: {
			checkName,
			checkType: "LATEST"
		}
	};
}
function openOf({ number, headRefOid: headSha, commits }) {
	const runs = (commits?.nodes.find(({ commit }) => commit.oid === headSha)?.commit.checkSuites.nodes)?.map(({ checkRuns }) => checkRuns.nodes);
	const failed = runs?.flat().some(({ conclusion }) => conclusion === "FAILURE");
	const isCut = [runs, ...runs ?? []].some((list) => list !== void 0 && list.length >= MOST_CHECKS);
	return {
		number,
		headSha,
		checkFailed: failed === false && isCut ? void 0 : failed
	};
}
async function listByRest(github) {
	const answer = await github.ask({
		operation: open_pull_requests_operation,
		permission: open_pull_requests_permission,
		route: "GET /repos/{owner}/{repo}/pulls",
		parameters: {
			state: "open",
			sort: "updated",
			direction: "desc",
			per_page: PER_PAGE
		},
		answer: RestAnswer
	});
	if (!answer.ok) return result_err(answer.error);
	return result_ok({
		pullRequests: answer.value.data.map(({ number, head }) => {
			return {
				number,
				headSha: head.sha,
				checkFailed: void 0
			};
		}),
		complete: !answer.value.hasNextPage
	});
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
const check_run_permission = "checks: write";
async function listCheckRuns(github, headSha, name) {
	const listed = await octokit_readPages(github, {
		operation: "list the check runs",
		permission: check_run_permission,
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
const MOST_ATTEMPTS = 10;
const RERUN_DAYS = 30;
const DAY_MS = 864e5;
const TARGET_EVENT = "pull_request_target";
const PULL_REQUEST_EVENTS = new Set(["pull_request", TARGET_EVENT]);
const SHORTEST_LOOK_MS = 6e4;
function chooseMark(marks, { pullRequest, headSha, checkName }) {
	return marks.flatMap((mark) => mark.checkRun?.name === checkName && mark.pullRequest === pullRequest && mark.headSha === headSha ? [mark] : []).toSorted((a, b) => b.runId - a.runId || b.runAttempt - a.runAttempt)[0];
}
function refuseMark({ contentKey, reusesNone, runAttempt }) {
	if (reusesNone || contentKey === void 0) return MAY_LAUNCH;
	return runAttempt >= MOST_ATTEMPTS ? tooManyAttempts(runAttempt) : void 0;
}
function refuseRun(run, { now, askedAt }) {
	if (run.status !== "completed") return UNDER_WAY;
	if (askedAt !== void 0 && run.startedAt >= askedAt) return ALREADY_RERUN;
	if (run.attempt >= MOST_ATTEMPTS) return tooManyAttempts(run.attempt);
	return now.getTime() - run.createdAt.getTime() >= RERUN_DAYS * DAY_MS ? tooOld(RERUN_DAYS) : void 0;
}
function refuseOtherRun(mark, run) {
	return run.id === mark.runId && (isOfHead(run, mark.headSha) || run.event === TARGET_EVENT) && run.attempt >= mark.runAttempt && PULL_REQUEST_EVENTS.has(run.event) ? void 0 : otherRun(mark.runId);
}
function isAskedBefore(mark, { id, attempt, triggeringActor }, viewer, comment) {
	if (attempt === 1 || triggeringActor !== void 0 && !isBy(triggeringActor, viewer)) return false;
	return mark.runAttempt < attempt || comment.runId !== id || comment.runAttempt !== attempt;
}
function isOfHead({ headSha }, head) {
	return headSha === head;
}
function refuseBeside(runs) {
	return runs.some(({ status }) => status !== "completed") ? UNDER_WAY : void 0;
}
function chooseJob(run, jobs, jobName, conclusions) {
	const ours = jobs.filter(({ runId }) => runId === run.id);
	const names = [...new Set(ours.map(({ name }) => name))];
	const wanted = jobName ?? (names.length === 1 ? names[0] : void 0);
	const named = ours.filter(({ name }) => name === wanted);
	const latest = Math.max(...named.map(({ attempt }) => attempt));
	const [job, other] = named.filter(({ attempt }) => attempt === latest);
	if (job === void 0 || other !== void 0) return result_err(noJob(jobName, names));
	if (job.status !== "completed") return result_err(UNDER_WAY);
	return conclusions.includes(job.conclusion) ? result_ok(job) : result_err(NOT_FAILED);
}
function refuseYounger(run, jobs, { askedAt, jobName }) {
	const ours = jobs.filter(({ runId }) => runId === run.id);
	const named = ours.filter(({ name }) => name === (jobName ?? name));
	const ends = (named.length > 0 ? named : ours).map(({ completedAt }) => completedAt?.getTime());
	const isListed = named.some(({ attempt }) => attempt === run.attempt);
	if (ends.includes(void 0) || !isListed && run.status !== "completed") return RESULT_PENDING;
	return Math.max(...ends.map((end) => end ?? 0), ends.length === 0 ? run.startedAt.getTime() : 0) > askedAt.getTime() - SHORTEST_LOOK_MS ? TOO_YOUNG : void 0;
}
async function readGateComment({ github, seal, signal }, subject, state) {
	const posted = await comment_list_readComments(github.until(signal), subject.pullRequest, state);
	if (!posted.ok) return result_err(unreadable(posted.error));
	const { checkName, headSha } = subject;
	const [found] = [comment_marker_ownComments(posted.value, checkName, state.viewer), markedComments(posted.value, checkName)].flatMap((comments) => comments.flatMap(({ marker, state }) => {
		const { history } = readFacts(comment_state_splitState(state).sealed, subject, seal);
		return history?.head === headSha ? [{
			marker,
			history
		}] : [];
	}).toSorted((a, b) => comment_marker_isLater(a.marker, b.marker) ? -1 : 1));
	return result_ok(found);
}
const FAILED = ["failure"];
const FAILED_OR_PASSED = ["failure", "success"];
function isFailure(done) {
	return done.kind === "refused" && done.refusal.isFailure;
}
async function rerunGate(triage, pullRequest, headSha, asking) {
	const subject = {
		pullRequest,
		headSha,
		checkName: triage.inputs.checkName
	};
	const mark = await findMark(triage, subject);
	if (!mark.ok) return {
		kind: "refused",
		pullRequest,
		runId: void 0,
		refusal: mark.error
	};
	const { runId } = mark.value;
	const done = await rerunMarked(triage, subject, mark.value, asking);
	return done.ok ? {
		kind: "rerun",
		pullRequest,
		runId,
		job: done.value
	} : {
		kind: "refused",
		pullRequest,
		runId: done.error.reason === "other-run" ? void 0 : runId,
		refusal: done.error
	};
}
async function findMark({ github, seal, signal }, subject) {
	const marks = await marksOfCheckRuns({
		github,
		seal,
		signal
	}, subject.headSha);
	if (!marks.ok) return result_err(unreadable(marks.error));
	const mark = chooseMark(marks.value, subject);
	return mark === void 0 ? result_err(noMark(subject.checkName, subject.headSha)) : result_ok(mark);
}
async function rerunMarked(triage, subject, mark, asking) {
	const { github, service, signal } = triage;
	const unmarked = refuseMark(mark);
	if (unmarked !== void 0) return result_err(unmarked);
	const comment = asking === void 0 ? await readUnblocked(triage, subject, mark) : void 0;
	if (comment?.ok === false) return comment;
	const unscanned = comment === void 0 ? await service.refuseScan(mark.scanId) : void 0;
	if (unscanned !== void 0) return result_err(unscanned);
	const run = await readMarkedRun(triage, mark);
	if (!run.ok) return run;
	const unfit = refuseRun(run.value, {
		now: triage.clock.date(),
		askedAt: asking?.at
	});
	if (unfit !== void 0) return result_err(unfit);
	if (isOfHead(run.value, mark.headSha)) {
		const beside = await listRunsOfHead(github.until(signal), run.value);
		if (!beside.ok) return result_err(unreadable(beside.error));
		const busy = refuseBeside(beside.value);
		if (busy !== void 0) return result_err(busy);
	}
	const jobs = await listJobs(github.until(signal), mark.runId);
	if (!jobs.ok) return result_err(unreadable(jobs.error));
	const job = chooseJob(run.value, jobs.value, triage.inputs.jobName, asking?.alsoPassed === true ? FAILED_OR_PASSED : FAILED);
	if (!job.ok) return job;
	const current = await readHead(triage, subject);
	if (!current.ok) return current;
	if (comment !== void 0) {
		const { viewer } = current.value;
		if (isAskedBefore(mark, run.value, viewer, comment.value.marker)) return result_err(ASKED_BEFORE);
		const moved = await refuseOtherBase(triage, mark, current.value);
		if (moved !== void 0) return result_err(moved);
	}
	const rerun = await rerunJob(github.until(signal), job.value.id, run.value);
	if (rerun.ok) return result_ok(job.value.name);
	const now = rerun.error.kind === "forbidden" ? await readWorkflowRun(github.until(signal), mark.runId) : rerun;
	return result_err(now.ok && (now.value.attempt > run.value.attempt || now.value.status !== "completed") ? UNDER_WAY : notRerun(rerun.error));
}
async function readUnblocked(triage, subject, { scanId }) {
	const state = await readHead(triage, subject);
	if (!state.ok) return state;
	const found = await readGateComment(triage, subject, state.value);
	if (!found.ok) return found;
	if (found.value === void 0) return result_err(NOT_KNOWN);
	const refusal = await triage.service.refuseScan(scanId) ?? await triage.service.refuseFindings(scanId, found.value.history.findings);
	return refusal === void 0 ? result_ok(found.value) : result_err(refusal);
}
async function refuseOtherBase({ github, signal }, { headSha, baseSha }, { baseName, baseTip }) {
	let tip = baseTip;
	if (tip === void 0) {
		const read = await readBranchTip(github.until(signal), baseName);
		if (!read.ok) return read.error.kind === "forbidden" ? void 0 : unreadable(read.error);
		tip = read.value;
	}
	if (tip.kind === "gone") return OTHER_BASE;
	const compared = await mergeBaseByCompare(github.until(signal), {
		base: tip.sha,
		head: headSha
	});
	if (compared.ok) return compared.value.sha === baseSha ? void 0 : OTHER_BASE;
	return compared.error.kind === "unavailable" ? unreadable(compared.error.error) : OTHER_BASE;
}
async function readOpen({ github, signal }, pullRequest) {
	const state = await pull_request_state_readPullRequestState(github.until(signal), pullRequest);
	if (!state.ok) return result_err(unreadable(state.error));
	return state.value.isOpen ? result_ok(state.value) : result_err(CLOSED);
}
async function readHead(access, { pullRequest, headSha }) {
	const state = await readOpen(access, pullRequest);
	return state.ok && state.value.headSha !== headSha ? result_err(HEAD_MOVED) : state;
}
async function readMarkedRun({ github, signal }, mark) {
	const run = await readWorkflowRun(github.until(signal), mark.runId);
	if (!run.ok) return result_err(run.error.kind === "not-found" ? otherRun(mark.runId) : unreadable(run.error));
	const other = refuseOtherRun(mark, run.value);
	return other === void 0 ? run : result_err(other);
}
const MOST_FAILURES = 3;
async function sweep(triage, random, onDone) {
	const { github, inputs, signal } = triage;
	const listed = await listOpenPullRequests(github.until(signal), inputs.checkName);
	if (!listed.ok) return {
		rechecked: [],
		left: 0,
		more: false,
		fault: unreadable(listed.error)
	};
	const { pullRequests, complete, failure } = listed.value;
	const failed = pullRequests.filter(({ checkFailed }) => checkFailed !== false);
	const first = Math.floor(random() * failed.length);
	const rechecked = [];
	let failures = 0;
	for (const { number, headSha } of [...failed.slice(first), ...failed.slice(0, first)]) {
		const done = await rerunGate(triage, number, headSha);
		onDone(done);
		rechecked.push(done);
		failures = isFailure(done) ? failures + 1 : 0;
		if (failures === MOST_FAILURES) break;
	}
	return {
		rechecked,
		left: failed.length - rechecked.length,
		more: !complete,
		fault: failure && unreadable(failure)
	};
}
async function refuseLate({ github, signal }, command, subject) {
	const [comment, may, head] = await Promise.all([
		readCurrentComment(github.until(signal), command.commentId),
		userMayWrite(github.until(signal), command.author),
		readHead({
			github,
			signal
		}, subject)
	]);
	if (!comment.ok) return unreadable(comment.error);
	if (comment.value === void 0) return DELETED;
	if (!isAsWritten(command, comment.value)) return EDITED;
	if (!may.ok) return unreadable(may.error);
	if (!may.value) return NO_ACCESS;
	return head.ok ? void 0 : head.error;
}
const LONGEST_TEXT = 1e4;
function noteOf({ command, commentUrl, subject }, { status, reason = "none given", note: text }, pullRequestUrl) {
	const lines = [
		`Set to ${status} by ${visibleLine(command.author.login)} with a comment on GitHub.`,
		"",
		`- Reason code: ${reason}`,
		`- Pull request: ${pullRequestUrl}`,
		`- Head commit: ${subject.headSha}`,
		lineOf(commentUrl)
	];
	if (text === "") return lines.join("\n");
	const isCut = text.length > LONGEST_TEXT;
	const quoted = visible_text_visibleLines(visible_text_cutCharacters(text, LONGEST_TEXT)).split("\n").map((line) => `> ${line}`.trimEnd());
	return [
		...lines,
		"",
		...quoted,
		...isCut ? ["", "The comment has the rest of this text."] : []
	].join("\n");
}
function countNotesOf(commentUrl, notes) {
	const wanted = lineOf(commentUrl);
	return notes.filter((note) => change_findings_linesOf(note).includes(wanted)).length;
}
function hasLaterNote(commentUrl, notes) {
	const [root = "", id = ""] = addressIn(lineOf(commentUrl));
	return notes.flatMap(change_findings_linesOf).some((line) => {
		const [otherRoot, otherId] = addressIn(line);
		return otherRoot === root && Number(otherId) > Number(id);
	});
}
function addressIn(line) {
	return /^(- Comment: .+\/pull\/)\d+#issuecomment-(\d{1,15})$/.exec(line)?.slice(1) ?? [];
}
function change_findings_linesOf(note) {
	return note.split(/\r?\n/).map((line) => line.trimEnd());
}
function lineOf(commentUrl) {
	return `- Comment: ${commentUrl}`;
}
const PAUSE_MS = 3e3;
const MOST_SENDS = 2;
const LONGEST_LOOK_MS = 15e3;
const MOST_LOOKS = 3;
async function changeFinding(changing, change) {
	const { api, projectId, signal, clock } = changing;
	let undone;
	for (let sends = 0;; sends += 1) {
		const looked = await lookAt(changing, change);
		if (looked !== void 0) return undone?.kind === "not-known" && !(looked.kind === "changed" || looked.kind === "other-status") ? undone : looked;
		if (undone !== void 0 && sends === MOST_SENDS) return undone;
		const sent = await api.changeResolution(projectId, change, { signal });
		if (sent.ok) return sends === 0 ? ONCE : {
			kind: "changed",
			notes: await countNotes(changing, change.findingId)
		};
		const { error } = sent;
		const isConflict = error.kind === "refused" && error.code === "conflict";
		const failure = isConflict ? "not-sent" : classifyWrite(error);
		undone = failure === "ambiguous" || undone?.kind === "not-known" ? {
			kind: "not-known",
			error
		} : {
			kind: "failed",
			error
		};
		if (failure !== "not-sent" && failure !== "ambiguous") return undone;
		if (!isConflict) await clock.sleep(PAUSE_MS, signal);
	}
}
const ONCE = {
	kind: "changed",
	notes: 1
};
async function lookAt(changing, { findingId, status }) {
	const { api, projectId, signal, clock, command, commentUrl, subject } = changing;
	for (let looks = 1; looks <= MOST_LOOKS; looks += 1) {
		const startedAt = clock.now();
		const now = await api.readNotes(projectId, findingId, { signal });
		if (!now.ok) return {
			kind: "failed",
			error: now.error
		};
		const { notes, resolution: shown } = now.value;
		if (notes === void 0) return refused(NOTES_UNREADABLE);
		const own = countNotesOf(commentUrl, notes);
		if (own > 0) return shown === status ? {
			kind: "changed",
			notes: own
		} : {
			kind: "other-status",
			shown
		};
		if (hasLaterNote(commentUrl, notes)) return refused(OVERTAKEN);
		const late = await refuseLate(changing, command, subject);
		if (late !== void 0) return refused(late);
		if (clock.now() - startedAt <= LONGEST_LOOK_MS) return void 0;
	}
	return refused(TOO_SLOW);
}
function refused(refusal) {
	return {
		kind: "refused",
		refusal
	};
}
async function countNotes({ api, projectId, signal, commentUrl }, findingId) {
	const now = await api.readNotes(projectId, findingId, { signal });
	const notes = now.ok && now.value.notes !== void 0 ? countNotesOf(commentUrl, now.value.notes) : 0;
	return notes === 0 ? void 0 : notes;
}
const WEB_FLOW = "web-flow";
function refusePerson(account, people) {
	const { author, commits, commitCount } = people;
	if (author === void 0) return AUTHOR_UNKNOWN;
	if (author.id === account.id) return IS_AUTHOR;
	if (commits.length === 0 || commits.length !== commitCount) return manyCommits(commitCount);
	const own = new Set(commits.map(({ sha }) => sha));
	const made = commits.filter((commit) => !isMergeOfBase(commit, own));
	const unknown = made.find((commit) => commit.author === void 0 || commit.committer === void 0);
	const mine = made.find(({ author, committer }) => author?.id === account.id || committer?.id === account.id);
	if (mine !== void 0) return madeCommit(mine.sha);
	if (unknown !== void 0) return noAccount(unknown.sha);
	return author.isBot ? refuseAsker(account, people) : void 0;
}
function refuseAsker(account, { author, assignees, commits }) {
	const byBots = commits.filter((commit) => commit.author?.isBot === true);
	const named = byBots.flatMap(({ coAuthors }) => coAuthors);
	if ([...assignees, ...named].some((one) => one !== void 0 && own_work_isSame(one, account))) return HAS_ASKED;
	const unknown = byBots.find(({ coAuthors }) => coAuthors.includes(void 0));
	if (unknown !== void 0) return noAccount(unknown.sha);
	const bots = [
		author,
		...assignees,
		...byBots.map((commit) => commit.author)
	].filter((one) => one?.isBot);
	const isBot = (one) => /\[bot\]$/i.test(one.login) || bots.some((bot) => bot !== void 0 && own_work_isSame(one, bot));
	const proven = byBots.filter(({ verified }) => verified).flatMap(({ coAuthors }) => coAuthors);
	return [...assignees, ...proven].some((one) => one !== void 0 && !isBot(one)) ? void 0 : ASKER_UNKNOWN;
}
function own_work_isSame(one, other) {
	return one.id === other.id || one.login.toLowerCase() === other.login.toLowerCase();
}
function isMergeOfBase({ parents, committer, verified }, own) {
	const [first, merged, other] = parents;
	if (first === void 0 || merged === void 0 || other !== void 0) return false;
	return verified && committer?.login === WEB_FLOW && !own.has(merged);
}
const OTHER_USER = "Another user with write access can write the command. In a small team, a maintainer can set `who` to `writers`.";
const NO_USER = "No user can change its findings by comment, unless a maintainer sets `who` to `writers`.";
function ownWork(cause, nextStep = NO_USER) {
	return decided({
		reason: "own-work",
		cause,
		nextStep
	});
}
const IS_AUTHOR = ownWork("You are the author of this pull request, and its author may not change its findings.", OTHER_USER);
function madeCommit(sha) {
	return ownWork(`You are the author or the committer of ${commitOf(sha)}, and the authors of a pull request may not change its findings.`, OTHER_USER);
}
const HAS_ASKED = ownWork("A bot opened this pull request, and you are its assignee or a co-author of its commits. The user who asked for a pull request may not change its findings.", OTHER_USER);
function noAccount(sha) {
	return ownWork(`GitHub shows no account for an author or the committer of ${commitOf(sha)}, so it is not known whose work it is.`);
}
function manyCommits(count) {
	return ownWork(`GitHub does not show all commits of the pull request (${count}), so it is not known whose work it is.`);
}
const AUTHOR_UNKNOWN = ownWork("The author of the pull request has no account any more, so it is not known whose work it is.");
const ASKER_UNKNOWN = ownWork("A bot opened this pull request, and GitHub does not show which user asked for it.", `Assign the pull request to the user who asked for it. ${OTHER_USER}`);
function commitOf(sha) {
	return `commit \`${sha.slice(0, 7)}\``;
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
	forbidden: (error) => explain_error_missingScope(SCOPE_OF.get(error.operation) ?? "read", said(error)),
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
function explain_error_missingScope(scope, answer = "") {
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
	const line = visible_text_foreignLine(message);
	const name = visible_text_foreignLine(code, LONGEST_CODE).replaceAll("`", "'");
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
function chooseProject(given, token) {
	const shown = token?.projectId;
	if (given === void 0) return shown === void 0 ? result_err(NOT_SHOWN) : result_ok(shown);
	if (!isUsableId(given)) return result_err(NOT_AN_ID);
	return shown === void 0 || shown === given ? result_ok(given) : result_err(otherProject(shown, given));
}
const NOT_AN_ID = {
	reason: "configuration",
	cause: "`project-id` is not a valid id.",
	nextStep: "Copy the id from the project's settings in the service, or remove the input. Then push."
};
const NOT_SHOWN = {
	reason: "configuration",
	cause: "The service does not show which project `api-token` belongs to.",
	nextStep: "Set `project-id` to the project's id in the workflow and push."
};
function otherProject(shown, given) {
	return {
		reason: "configuration",
		cause: `\`api-token\` belongs to project \`${visible_text_foreignLine(shown)}\`, but \`project-id\` is \`${visible_text_foreignLine(given)}\`.`,
		nextStep: "Fix or remove `project-id` in the workflow and push, or update the secret with a token of that project."
	};
}
function stillBlocking(findings, known) {
	const rest = findings.map((finding) => ({
		finding,
		traits: traitsOf(finding)
	}));
	return known.filter(({ blocks, id, fingerprint, level }) => {
		if (!blocks) return false;
		const index = rest.findIndex(({ traits }) => id === void 0 ? traits.fingerprint === fingerprint : traits.id === id);
		const [found] = index < 0 ? [] : rest.splice(index, 1);
		return found !== void 0 && finding_isOpen(found.finding) && finding_severityRank(found.traits.level) <= finding_severityRank(level);
	});
}
function createServiceReader(api, wantedProject, signal) {
	let project;
	const projectId = async () => {
		if (project !== void 0) return result_ok(project);
		const token = await api.token({ signal });
		if (!token.ok) return result_err(stopped(explain_error_explainApiError(token.error)));
		const chosen = chooseProject(wantedProject, token.value);
		if (!chosen.ok) return result_err(stopped(chosen.error));
		project = chosen.value;
		return chosen;
	};
	const findings = async (scanId) => {
		const id = await projectId();
		if (!id.ok) return id;
		const list = await api.findings(id.value, scanId, { signal });
		return list.ok ? result_ok({
			projectId: id.value,
			findings: list.value
		}) : result_err(stopped(explain_error_explainApiError(list.error)));
	};
	return {
		async refuseScan(scanId) {
			const id = await projectId();
			if (!id.ok) return id.error;
			const scan = await api.readScan(id.value, scanId, { signal });
			if (!scan.ok) return stopped(explain_error_explainApiError(scan.error));
			return scan.value.status === "COMPLETED" ? void 0 : notCompleted(scan.value.status);
		},
		async refuseFindings(scanId, reported) {
			if (!reported.some(({ blocks }) => blocks)) return NOTHING_BLOCKED;
			const list = await findings(scanId);
			return list.ok ? refuseReported(list.value.findings, reported) : list.error;
		},
		findings
	};
}
function refuseReported(findings, reported) {
	const blocked = reported.filter(({ blocks }) => blocks).length;
	if (blocked === 0) return NOTHING_BLOCKED;
	const open = stillBlocking(findings, reported).length;
	return open === 0 ? void 0 : stillBlocked(open, blocked);
}
const LONGEST_SENTENCE = 1e3;
const texts_LONGEST_NAME = 100;
const MOST_ROWS = 100;
function resultLine(done) {
	if (done.kind === "rerun") return `#${done.pullRequest}: re-ran the job \`${done.job}\` of run ${done.runId}.`;
	return `#${done.pullRequest}: not re-run. ${result_sentencesOf(done.refusal)}`;
}
function renderReply(done, place) {
	const { refusal, pullRequest, runId } = done;
	const said = markdown_md`**Not re-run.** ${renderCodeSpans(visible_text_cutCharacters(result_sentencesOf(refusal), LONGEST_SENTENCE))}`;
	const run = runId === void 0 ? markdown_md`the failed job in the ${toPullRequest("checks", pullRequest, place, "/checks")}` : toRun("the run", runId, place);
	return markdown_toText(markdown_join([said, refusal.byHand ? markdown_md`To re-run the job by hand, open ${run} and choose **Re-run jobs \u2192 Re-run failed jobs**.` : markdown_NOTHING], markdown_BLANK_LINE));
}
function renderNotChanged(refusal) {
	const why = renderCodeSpans(visible_text_cutCharacters(result_sentencesOf(refusal), LONGEST_SENTENCE));
	const byHand = NOT_BY_HAND.has(refusal.reason) ? markdown_NOTHING : renderCodeSpans(BY_SERVICE);
	return markdown_toText(markdown_join([markdown_md`**No finding was changed.** ${why}`, byHand], markdown_BLANK_LINE));
}
const NOT_BY_HAND = new Set([
	"unclear",
	"closed",
	"head-moved",
	"replayed",
	"edited",
	"deleted"
]);
function renderSummary(swept, place) {
	const { rechecked, left, more, fault } = swept;
	const rerun = rechecked.filter(({ kind }) => kind === "rerun").length;
	const rows = rechecked.filter((done) => !isQuiet(done));
	const shown = rows.slice(0, MOST_ROWS).map((done) => row(done, place));
	const table = shown.length === 0 ? markdown_NOTHING : markdown_md`| Pull request | Result |\n| --- | --- |\n${markdown_join(shown, markdown_md`\n`)}`;
	const quiet = rechecked.length - rows.length;
	const notes = [
		rows.length > MOST_ROWS ? markdown_md`${rows.length - MOST_ROWS} more are in the log.` : markdown_NOTHING,
		quiet === 0 ? markdown_NOTHING : markdown_md`${countOf(quiet, "pull request")} on which triage changes nothing yet.`,
		left === 0 ? markdown_NOTHING : markdown_md`${countOf(left, "pull request")} not looked at, because of the last error.`,
		more ? markdown_md`There are more open pull requests than were looked at.` : markdown_NOTHING
	];
	const failed = fault !== void 0 && rechecked.length === 0 ? markdown_md`${renderCodeSpans(result_sentencesOf(fault))}` : markdown_NOTHING;
	return `${markdown_toText(markdown_join([
		markdown_md`## Triage: ${rerun === 0 ? markdown_md`no job` : markdown_md`${countOf(rerun, "job")}`} re-run`,
		failed,
		table,
		markdown_join(notes, markdown_md` `)
	], markdown_BLANK_LINE))}\n`;
}
function isQuiet(done) {
	return done.kind === "refused" && ["still-blocked", "nothing-blocked"].includes(done.refusal.reason);
}
function row(done, place) {
	const number = toPullRequest(`#${done.pullRequest}`, done.pullRequest, place);
	if (done.kind === "refused") return markdown_md`| ${number} | Not re-run. ${renderCodeSpans(visible_text_cutCharacters(result_sentencesOf(done.refusal), LONGEST_SENTENCE))} |`;
	return markdown_md`| ${number} | Re-ran the job ${markdown_inlineCode(visible_text_cutCharacters(done.job, texts_LONGEST_NAME))} of ${toRun(`run ${done.runId}`, done.runId, place)} |`;
}
function toRun(text, runId, place) {
	return toPlace(text, `actions/runs/${runId}`, place);
}
function toPullRequest(text, number, place, below = "") {
	return toPlace(text, `pull/${number}${below}`, place);
}
function toPlace(text, path, place) {
	const root = rootOf(place);
	return markdown_link(text, `${root}${path}`, [root]);
}
function rootOf({ serverUrl, owner, repo }) {
	return `${serverUrl}/${owner}/${repo}/`;
}
function toPullRequestUrl(number, place) {
	return `${rootOf(place)}pull/${number}`;
}
function toCommentUrl(pullRequest, commentId, place) {
	return `${toPullRequestUrl(pullRequest, place)}#issuecomment-${commentId}`;
}
const LONGEST_LOGIN = 40;
function authorOf({ author }) {
	return markdown_inlineCode(visible_text_cutCharacters(author.login, LONGEST_LOGIN));
}
function toCommand({ pullRequest, commentId }, place) {
	return markdown_link("command", toCommentUrl(pullRequest, commentId, place), [rootOf(place)]);
}
function isWhole(results) {
	return results.every(({ kind }) => kind === "changed");
}
async function changeByCommand(triage, command, change) {
	const admitted = await admit(triage, command);
	if (!admitted.ok) return admitted;
	const { mark, run } = admitted.value;
	const listed = await triage.service.findings(mark.scanId);
	if (!listed.ok) return listed;
	const chosen = chooseFindings(change.labels, listed.value.findings);
	const odd = chosen.flatMap((one) => one.kind === "finding" ? [] : [one]);
	if (odd.length > 0) return result_err(noLabels(change.word, odd));
	const commentUrl = toCommentUrl(command.pullRequest, command.commentId, triage.place);
	const { projectId } = listed.value;
	const results = await changeAll({
		...triage,
		...admitted.value,
		projectId,
		command,
		commentUrl
	}, change, toPullRequestUrl(command.pullRequest, triage.place), chosen.flatMap((one) => one.kind === "finding" ? [one] : []));
	const [first] = results;
	const isNone = results.every((one) => one.kind === "refused" && first?.kind === "refused" && one.refusal === first.refusal);
	if (first?.kind === "refused" && isNone) return result_err(first.refusal);
	const rechecked = isWhole(results) ? await recheck(triage, command, change, admitted.value) : void 0;
	return result_ok({
		command,
		change,
		results,
		showsTitles: showsTitles(triage, run),
		rechecked
	});
}
async function changeAll(changing, change, pullRequestUrl, findings) {
	const { status } = change;
	const note = noteOf(changing, change, pullRequestUrl);
	const results = [];
	let ofAll;
	for (const { label, id: findingId, title } of findings) {
		const result = ofAll ?? await changeFinding(changing, {
			findingId,
			status,
			note
		});
		results.push({
			label,
			title,
			...result
		});
		if (concernsAll(result)) ofAll = result;
	}
	return results;
}
function concernsAll(result) {
	if (result.kind === "refused") return !OF_ONE_FINDING.has(result.refusal.reason);
	return result.kind === "failed" && (retry_classify(result.error) === "rate-limited" || result.error.kind === "refused" && (result.error.status === 401 || result.error.status === 403));
}
const OF_ONE_FINDING = new Set(["overtaken", "notes-unreadable"]);
function showsTitles({ isPublic, place }, { event }) {
	const repository = {
		owner: place.owner,
		name: place.repo,
		isPublic
	};
	const known = event === "pull_request" || event === "pull_request_target" ? event : void 0;
	return target_disclosureOf(known && {
		event: known,
		repository
	}) !== "labels";
}
async function admit(triage, command) {
	const { github, service, inputs, triageApi, signal } = triage;
	const { pullRequest, author, createdAt: askedAt } = command;
	if (triageApi === void 0) return result_err(NO_TRIAGE_TOKEN);
	const state = await readOpen(triage, pullRequest);
	if (!state.ok) return state;
	const { headSha } = state.value;
	if (inputs.who === "others") {
		const people = await readPullRequestPeople(github.until(signal), pullRequest);
		if (!people.ok) return result_err(unreadable(people.error));
		if (people.value.headSha !== headSha) return result_err(HEAD_MOVED);
		const ownWork = refusePerson(author, people.value);
		if (ownWork !== void 0) return result_err(ownWork);
		if (!people.value.commits.some(({ sha }) => sha === headSha)) return result_err(HEAD_MOVED);
	}
	const subject = {
		pullRequest,
		headSha,
		checkName: inputs.checkName
	};
	const found = await findMark(triage, subject);
	if (!found.ok) return found;
	const mark = found.value;
	const run = await readMarkedRun(triage, mark);
	if (!run.ok) return run;
	const jobs = await listJobs(github.until(signal), mark.runId);
	if (!jobs.ok) return result_err(unreadable(jobs.error));
	const younger = refuseYounger(run.value, jobs.value, {
		askedAt,
		jobName: inputs.jobName
	});
	if (younger !== void 0) return result_err(younger);
	const unfit = await service.refuseScan(mark.scanId);
	return unfit === void 0 ? result_ok({
		subject,
		state: state.value,
		mark,
		run: run.value,
		api: triageApi
	}) : result_err(unfit);
}
async function recheck(triage, { pullRequest, createdAt }, { status }, { subject, mark, state }) {
	const isReopened = status === "NOT_STARTED";
	const refusal = isReopened ? void 0 : await refuseBlocking(triage, subject, mark, state);
	const rechecked = refusal === void 0 ? await rerunGate(triage, pullRequest, subject.headSha, {
		at: createdAt,
		alsoPassed: isReopened
	}) : {
		kind: "refused",
		pullRequest,
		runId: mark.runId,
		refusal
	};
	return rechecked.kind === "rerun" ? rechecked : {
		...rechecked,
		refusal: afterChange(rechecked.refusal, isReopened)
	};
}
async function refuseBlocking(triage, subject, { scanId }, state) {
	const listed = await triage.service.findings(scanId);
	if (!listed.ok) return listed.error;
	const { findings } = listed.value;
	const open = findings.filter(finding_isOpen).length;
	if (open === 0) return void 0;
	const comment = await readGateComment(triage, subject, state);
	if (!comment.ok) return comment.error;
	return comment.value === void 0 ? blocksNotKnown(open) : refuseReported(findings, comment.value.history.findings);
}
const LONGEST_CELL = 600;
const change_texts_LONGEST_TITLE = 70;
const change_texts_LONGEST_WORD = 40;
const LONGEST_CAUSE = 200;
function renderChanged(changed, place) {
	const { command, change, results, showsTitles } = changed;
	const { status, reason } = change;
	const done = results.filter(({ kind }) => kind === "changed").length;
	return markdown_toText(markdown_join([
		markdown_md`**${countOf(done, "finding")} of ${results.length} set to ${markdown_inlineCode(status)}**${reason === void 0 ? markdown_NOTHING : markdown_md` (${markdown_inlineCode(reason)})`} by ${authorOf(command)} (${toCommand(command, place)}).`,
		markdown_md`| Finding | Result |\n| --- | --- |\n${markdown_join(results.map((result) => {
			const title = showsTitles ? markdown_md` ${visible_text_cutCharacters(visibleLine(result.title), change_texts_LONGEST_TITLE)}` : markdown_NOTHING;
			const said = renderCodeSpans(visible_text_cutCharacters(sentenceOf(result, status), LONGEST_CELL));
			return markdown_md`| ${markdown_inlineCode(visible_text_cutCharacters(result.label, change_texts_LONGEST_WORD))}${title} | ${said} |`;
		}), markdown_md`\n`)}`,
		results.some(({ kind }) => kind === "failed") ? renderCodeSpans(BY_SERVICE) : markdown_NOTHING,
		jobSentence(changed, place)
	], markdown_BLANK_LINE));
}
function change_texts_quoted(text) {
	return `\`${text.replaceAll("`", "'")}\``;
}
function changedLines({ command, change, results }) {
	const by = `(by ${command.author.login})`;
	return results.map((result) => `${result.label}: ${sentenceOf(result, change.status)} ${by}`);
}
function jobSentence({ rechecked, results, change }, place) {
	if (rechecked?.kind === "rerun") return markdown_md`${toRun("The job of the gate", rechecked.runId, place)} runs again.`;
	return markdown_join([rechecked === void 0 ? markdown_md`The job of the gate is not re-run, because not every finding of the command was changed. When the cause is fixed, write a new comment for these findings.` : markdown_md`The job of the gate is not re-run. ${renderCodeSpans(visible_text_cutCharacters(result_sentencesOf(rechecked.refusal), LONGEST_CELL))}`, change.status === "NOT_STARTED" && results.some(({ kind }) => MAYBE_DONE.has(kind)) ? NOT_COUNTED : markdown_NOTHING], markdown_md` `);
}
const MAYBE_DONE = new Set(["changed", "not-known"]);
const NOT_COUNTED = markdown_md`Until it runs again, its check does not count the reopened findings.`;
function change_texts_causeOf(error) {
	return visible_text_cutCharacters(explainChange(error), LONGEST_CAUSE);
}
function sentenceOf(result, status) {
	switch (result.kind) {
		case "failed": return result.error.operation === "read a finding" ? `Not changed, because the notes of the finding cannot be read. ${change_texts_causeOf(result.error)}` : `Not changed. ${change_texts_causeOf(result.error)}`;
		case "refused": return `Not changed. ${result_sentencesOf(result.refusal)}`;
		case "not-known": return `It is not known whether the finding was changed: the answer of the service was lost, and the finding does not show a note of this command. ${change_texts_causeOf(result.error)} Look at the finding in the service before you write the command again.`;
		case "other-status": return `The service has the note of this command, and shows the finding as ${result.shown === void 0 ? "no known status" : change_texts_quoted(result.shown)}. Look at the finding in the service.`;
		case "changed": return `Set to \`${status}\`.${notesSentence(result.notes)}`;
	}
}
function notesSentence(notes) {
	if (notes === 1) return "";
	return notes === void 0 ? " An answer of the service was lost, so the finding may have the note of this command twice." : ` An answer of the service was lost, so the finding has ${notes} notes of this command.`;
}
function explainChange(error) {
	if (retry_classify(error) === "rate-limited") return "The service accepts no more requests for now (429). Write the command again later.";
	if (error.kind !== "refused") return explain_error_explainApiError(error).cause;
	switch (error.code) {
		case "unauthorized": return "The service rejected `triage-token`: it is invalid, expired or revoked. A maintainer has to replace it.";
		case "forbidden": return "`triage-token` needs the scopes `read` and `findings:write`. A maintainer has to replace it.";
		case "not_found": return "The service does not show this finding to `triage-token`. Check that it is a token of the same project.";
		default: return explain_error_explainApiError(error).cause;
	}
}
function answerOfRecheck(command, done, place) {
	const isRerun = done.kind === "rerun";
	return {
		lines: [resultLine(done)],
		reply: isRerun ? void 0 : answering(command, renderReply(done, place), place),
		summary: renderSummary({
			rechecked: [done],
			left: 0,
			more: false,
			fault: void 0
		}, place),
		reaction: isRerun ? "+1" : "confused",
		isRerun,
		hasFailed: isFailure(done)
	};
}
function answerOfChange(command, changed, place) {
	if (!changed.ok) {
		const refusal = changed.error;
		const reply = answering(command, renderNotChanged(refusal), place);
		return {
			lines: [`#${command.pullRequest}: no finding was changed. ${result_sentencesOf(refusal)}`],
			reply,
			summary: summaryOf(reply),
			reaction: refusal.reason === "deleted" ? void 0 : "confused",
			isRerun: false,
			hasFailed: refusal.isFailure
		};
	}
	const { rechecked } = changed.value;
	const isDone = isWhole(changed.value.results);
	const reply = renderChanged(changed.value, place);
	return {
		lines: [...changedLines(changed.value), ...rechecked === void 0 ? [] : [resultLine(rechecked)]],
		reply,
		summary: summaryOf(reply),
		reaction: isDone ? "+1" : "confused",
		isRerun: rechecked?.kind === "rerun",
		hasFailed: !isDone || rechecked !== void 0 && isFailure(rechecked)
	};
}
function summaryOf(reply) {
	return `## Triage\n\n${reply}\n`;
}
function answering(command, markdown, place) {
	return `${markdown}\n\n${markdown_toText(markdown_md`This answers the ${toCommand(command, place)} of ${authorOf(command)}.`)}`;
}
const LONGEST_MINUTES = 15;
const SWEEP_EVENTS = new Set(["schedule", "workflow_dispatch"]);
async function runTriage(deps) {
	const { environment, log, reading, deadlines } = deps;
	const { eventName } = environment;
	if (eventName !== "issue_comment" && !SWEEP_EVENTS.has(eventName)) return fail(deps, [wrongEvent(eventName)]);
	let command;
	if (eventName === "issue_comment") {
		const comment = readIssueComment(deps.payload);
		if (!comment.ok) return fail(deps, [result_sentencesOf(comment.error)]);
		const read = readCommand(comment.value);
		if (read.kind === "ignored") {
			log.info(`Nothing to do: ${read.why}.`);
			return end(deps, 0, 0);
		}
		command = read.command;
	}
	if (reading.faults.length > 0) return fail(deps, reading.faults);
	for (const sentence of reading.warnings) log.warning(sentence);
	deadlines.startTimeout(LONGEST_MINUTES);
	const triage = openTriage(deps);
	return command === void 0 ? runSweep(deps, triage) : runCommand(deps, triage, command);
}
function openTriage(deps) {
	const { clock, fetch, random, log, deadlines, environment, payload, reading } = deps;
	const { inputs } = reading;
	const { baseUrl, triageToken: token } = inputs;
	const signal = deadlines.work;
	const isPublic = isPublicRepository(payload);
	const options = {
		showMessages: async () => !isPublic,
		leftMs: deadlines.leftMs
	};
	const toChange = {
		baseUrl,
		token,
		clock,
		fetch,
		random,
		debug: log.debug,
		...options
	};
	return {
		clock,
		signal,
		inputs,
		isPublic,
		github: connectGitHub(deps, inputs, environment),
		seal: createSeal(inputs.apiToken, environment.repositoryId),
		service: createServiceReader(connectService(deps, inputs, options), inputs.projectId, signal),
		triageApi: token === "" ? void 0 : createTriageApi(toChange),
		place: environment
	};
}
async function runSweep(deps, triage) {
	const { log, environment } = deps;
	const swept = await sweep(triage, deps.random, (done) => isFailure(done) ? log.error(resultLine(done)) : log.info(resultLine(done)));
	const { rechecked, left, more, fault } = swept;
	if (fault !== void 0) log.error(result_sentencesOf(fault));
	else if (rechecked.length === 0) log.info("No open pull request has a failed check.");
	if (left > 0) log.warning(`${left} pull requests were not looked at, because of this error.`);
	if (more) log.warning("There are more open pull requests than were looked at.");
	await run_summarize(deps, renderSummary(swept, environment));
	const rerun = rechecked.filter(({ kind }) => kind === "rerun").length;
	return end(deps, rerun, fault !== void 0 || rechecked.some(isFailure) ? 1 : 0);
}
async function runCommand(deps, triage, command) {
	const { log, environment } = deps;
	const { wanted } = command;
	const may = await userMayWrite(triage.github.until(triage.signal), command.author);
	if (!may.ok) {
		const refusal = unreadable(may.error);
		log.error(wanted.kind === "recheck" ? `Nothing was re-run. ${result_sentencesOf(refusal)}` : `No finding was changed. ${result_sentencesOf(inNewComment(refusal))}`);
		return end(deps, 0, 1);
	}
	if (!may.value) {
		log.info("Nothing to do: the author of the comment has no write access.");
		return end(deps, 0, 0);
	}
	if (wanted.kind === "recheck") return give(deps, triage, command, answerOfRecheck(command, await run_recheck(triage, command), environment));
	if (environment.runAttempt !== 1) {
		log.error(result_sentencesOf(REPLAYED));
		return end(deps, 0, 1);
	}
	const changed = wanted.kind === "unclear" ? result_err(change_refusal_unclear(wanted.cause)) : await changeByCommand(triage, command, wanted.change);
	return give(deps, triage, command, answerOfChange(command, changed.ok ? changed : result_err(inNewComment(changed.error)), environment));
}
async function give(deps, { github, inputs }, { commentId, pullRequest }, { lines, reply, summary, reaction, isRerun, hasFailed }) {
	const { log, deadlines, environment } = deps;
	const signal = deadlines.wrapUp;
	for (const line of lines) if (hasFailed) log.error(line);
	else log.info(line);
	const reacted = reaction && await reactToComment(github.until(signal), commentId, reaction);
	if (reacted?.ok === false) log.warning(result_sentencesOf(inSummary(unreadable(reacted.error))));
	const body = environment.runAttempt === 1 ? reply : void 0;
	const replied = body === void 0 ? result_ok(void 0) : await syncReply(github.until(signal), pullRequest, inputs.checkName, body);
	if (!replied.ok) log.error(result_sentencesOf(inSummary(unreadable(replied.error))));
	await run_summarize(deps, summary);
	return end(deps, isRerun ? 1 : 0, hasFailed || !replied.ok ? 1 : 0);
}
async function run_recheck(triage, { pullRequest, createdAt }) {
	const state = await readOpen(triage, pullRequest);
	return state.ok ? rerunGate(triage, pullRequest, state.value.headSha, { at: createdAt }) : {
		kind: "refused",
		pullRequest,
		runId: void 0,
		refusal: state.error
	};
}
async function run_summarize({ writeSummary, log }, markdown) {
	await attempt("job summary", log.warning, () => writeSummary(markdown));
}
function fail(deps, [first = "", ...others]) {
	deps.log.error(`Nothing was re-run. ${first}`, others);
	end(deps, 0, 1);
	return 1;
}
function end({ writeOutputs }, rerun, exitCode) {
	writeOutputs({ rerun: String(rerun) });
	return exitCode;
}
function wrongEvent(event) {
	return `The triage action does not run on \`${event}\`. Run it on \`schedule\`, \`workflow_dispatch\` or \`issue_comment\`.`;
}
async function main(step) {
	const reading = readTriageInputs();
	const surroundings = await readSurroundings(reading.inputs.baseUrl);
	if (!surroundings.ok) {
		failWith(`Nothing was re-run. ${result_sentencesOf(surroundings.error)}`, step.log);
		return 1;
	}
	return runTriage({
		...step,
		...surroundings.value,
		reading,
		writeOutputs: writeTriageOutputs,
		writeSummary: writeJobSummary
	});
}
function failWith(message, log) {
	log.error(message);
	try {
		writeTriageOutputs({ rerun: "0" });
	} catch {}
}
runStepProcess(main, (what, log) => failWith(`Unexpected error (${what}). Please open an issue in the Scangate repository.`, log));
export {};
