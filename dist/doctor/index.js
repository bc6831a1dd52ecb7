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
const SEVERITY_LEVELS = [
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
	for (const level of SEVERITY_LEVELS) counts[level.toUpperCase()] = 0;
	for (const { level } of severities) {
		const key = level.toUpperCase();
		counts[key] = (counts[key] ?? 0) + 1;
	}
	return counts;
}
const UNTITLED = "Untitled finding";
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
const LONGEST = 200;
const INVISIBLE_AS_SPACE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
function foreignLine(text, longest = LONGEST) {
	const characters = [...visible_text_replaceInvisible(text.toWellFormed(), (character) => INVISIBLE_AS_SPACE.test(character) ? " " : character).replace(/\s+/g, " ").trim().slice(0, 2 * longest + 2)];
	return characters.length <= longest ? characters.join("") : `${characters.slice(0, longest - 1).join("")}\u2026`;
}
function quoted(text, longest) {
	return `\`${foreignLine(text, longest).replaceAll("`", "'")}\``;
}
const MOST_SHOWN = 20;
function listed(values) {
	const shown = values.slice(0, MOST_SHOWN).map((word) => foreignLine(word));
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
	if (!path_patterns_isPlainPath(path)) return false;
	return patterns.findLast((pattern) => matchesPattern(pattern, path))?.takesBack === false;
}
function path_patterns_isPlainPath(path) {
	return path_patterns_pathFault(path) === void 0;
}
function path_patterns_pathFault(path) {
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
	const samples = patterns.map((pattern) => sampleOf(pattern, "qxz")).filter(path_patterns_isPlainPath);
	return [ANY_FILE, ...samples].every((path) => path_patterns_matchesPath(patterns, path));
}
const ANY_FILE = "qxz/qxz/qxz/qxz.qxz";
function matchesExtension(patterns, extension) {
	const name = `qxz.${extension}`;
	const samples = patterns.flatMap((pattern) => [sampleOf(pattern, name), `${sampleOf(pattern, "qxz")}/${name}`]).filter((path) => path.endsWith(`.${extension}`) && path_patterns_isPlainPath(path));
	return [
		name,
		`qxz/qxz/qxz/${name}`,
		...samples
	].every((path) => path_patterns_matchesPath(patterns, path));
}
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
	return SEVERITY_LEVELS.flatMap((level) => rules.filter(({ severity }) => severity === level));
}
function proofOf({ evidence }) {
	return EVIDENCE_LEVELS.indexOf(evidence);
}
function verdict_failOnText({ rules, defaultEvidence }) {
	return rules.map(({ severity, evidence }) => evidence === defaultEvidence ? severity : `${severity}:${evidence}`).join(", ") || "none";
}
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
	if (url.length > LONGEST_URL || hasInvisible(url) || !URL.canParse(url)) return void 0;
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
const markdown_LINE_BREAK = safe("<br>");
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
function writeDoctorOutputs({ ready, problems }) {
	core_setOutput("ready", String(ready));
	core_setOutput("problems", String(problems));
}
const load_node_fs = () => process.getBuiltinModule("node:fs");
const load_node_path = () => process.getBuiltinModule("node:path");
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
function row_ok(check, text) {
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
function row_warning(check, text, who, what) {
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
function row_error(check, text, who, what) {
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
	return row_error(check, cause, who, nextStep);
}
function code(text) {
	return quoted(text);
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
		case "invalid": return failure.status >= 500 ? "Support of the service" : "Workflow maintainer";
		case "unreachable": return failure.cause === "reset" || failure.cause === "timeout" || failure.cause === "other" ? "Support of the service" : "Admin of the runner";
		case "stopped": return "Workflow maintainer";
	}
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
function errors_messageLine(text) {
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
				message: errors_messageLine(redact(error.message))
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
const UNKNOWN_AREA = "";
const LONGEST_ID = 256;
function isUsableId(value) {
	return typeof value === "string" && value !== "" && value !== "." && value !== ".." && value.isWellFormed() && !/\p{Cc}/u.test(value) && (value.length <= LONGEST_ID || [...value].length <= LONGEST_ID);
}
function pathSegment(id) {
	if (!isUsableId(id)) throw new Error("an unusable id was about to become part of an address");
	return encodeURIComponent(id);
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
function whole(least) {
	return (value) => typeof value === "number" && Number.isSafeInteger(value) && value >= least ? value : void 0;
}
const share = (value) => {
	if (typeof value !== "number" || !(value >= 0 && value <= 100)) return void 0;
	return value <= 1 ? value : value / 100;
};
const ids = (value) => Array.isArray(value) ? value.flatMap((item) => lookup_text(item) ?? firstOf(item, ["id"], lookup_text) ?? []) : void 0;
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
const load_node_crypto = () => process.getBuiltinModule("node:crypto");
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
function readLaunchParameters(given) {
	const removes = new Set();
	const unreadable = new Set();
	const read = (field, reader) => {
		const name = LAUNCH_NAMES[field];
		const value = firstOf(given, [name], reader);
		if (given[name] === null) removes.add(field);
		else if (value === void 0 && Object.hasOwn(given, name)) unreadable.add(field);
		return value;
	};
	return {
		given,
		sets: {
			repositoryId: read("repositoryId", lookup_text),
			presetRef: read("presetRef", lookup_text),
			creditBudget: read("creditBudget", whole(0)),
			baseSha: read("baseSha", lookup_text),
			headSha: read("headSha", lookup_text),
			areas: read("areas", keyList),
			guidance: read("guidance", anyText)
		},
		removes,
		unreadable
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
const areaKeys = (value) => Array.isArray(value) ? value.map((item) => lookup_text(item) ?? firstOf(item, ["key"], lookup_text) ?? UNKNOWN_AREA) : void 0;
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
const wire_record = custom(isRecord, "an object");
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
	if (!isRecord(json)) return result_err("`body` is not an object");
	const names = ASSUMED.token;
	return result_ok({
		projectId: firstOf(json, names.projectId, usableId),
		scopes: firstOf(json, names.scopes, ids),
		expiresAt: firstOf(json, names.expiresAt, lookup_text),
		spendLimit: firstOf(json, names.spendLimit, whole(0)),
		allowlist: firstOf(json, names.allowlist, ids)
	});
}
function decodeLaunched(json) {
	const scanId = firstOf(json, ASSUMED.launchedScan, usableId);
	return scanId === void 0 ? result_err("no readable scan id") : result_ok({ scanId });
}
function decodeScan(json, askedFor) {
	const decoded = decode(scanDetail, json);
	if (!decoded.ok) return decoded;
	const { scan } = decoded.value;
	const names = ASSUMED.scan;
	const status = firstOf(scan, ["status"], lookup_text);
	if (status === void 0) return result_err("`scan.status` is not a string");
	if ((firstOf(scan, names.id, lookup_text) ?? askedFor) !== askedFor) return result_err("`scan` is another scan");
	const progress = scan["progress"];
	return result_ok({
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
		baseSha: firstOf(scan, names.baseSha, commitId) ?? firstOf(scan, names.baseSha, none),
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
const readTitle = (value) => {
	const title = (lookup_text(value)?.split(LINE_END) ?? []).map((line) => line.trim()).filter((line) => line !== "").join(" ");
	return isBlank(title) ? void 0 : title;
};
const LINE_END = /[\n\v\f\r\u0085\u2028\u2029]/;
function readFinding(item) {
	const names = ASSUMED.finding;
	const id = firstOf(item, names.id, usableId);
	const location = readLocation(item);
	const otherPaths = readPaths(item).filter((path) => path !== location?.path);
	return {
		id,
		label: `ZK-${id === void 0 ? "????????" : [...id].slice(-8).join("")}`,
		severity: severityOf(firstOf(item, ["severity"], lookup_text)),
		triage: firstOf(item, ["triageStatus"], readTriage),
		evidence: item["confirmationEvidence"] === null ? null : firstOf(item, ["confirmationEvidence"], word),
		resolution: firstOf(item, ["resolutionStatus"], lookup_text),
		title: firstOf(item, names.title, readTitle) ?? UNTITLED,
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
const faultsOf = (entries) => listed(entries.map(({ fault }) => fault));
function malformedCandidate(list, entries, fix) {
	return {
		reason: "service-error",
		cause: `The service returned a malformed list of ${list}: ${faultsOf(entries)}.`,
		nextStep: `${fix === void 0 ? "Re-run" : `${fix} and push, or re-run`} this job later. If it fails again, contact the service's support.`
	};
}
function leftOutSentence(entries) {
	return entries.length === 0 ? "" : ` Malformed entries were ignored: ${faultsOf(entries)}.`;
}
function repositoryById(entries, wanted) {
	const { sound, malformed } = splitEntries(entries);
	const doubtful = malformed.filter(({ readable }) => readable.id === wanted);
	if (doubtful.length > 0) return result_err(malformedCandidate("repositories", doubtful, void 0));
	return result_ok(sound.find(({ id }) => id === wanted));
}
function repository_entry_repositoryFault(repository, wanted) {
	if (repository === void 0) return notListed(wanted);
	if (repository.status === "ACTIVE") return void 0;
	return {
		reason: "configuration",
		cause: `The repository \`${foreignLine(wanted)}\` is ${foreignLine(repository.status, 60)} in the service, not ACTIVE.`,
		nextStep: "Ask a project admin of the service to restore it, or set `repository-id` to another repository and push."
	};
}
function notListed(wanted) {
	return {
		reason: "configuration",
		cause: `The project does not list the repository \`${foreignLine(wanted)}\`.`,
		nextStep: "Ask a project admin of the service to add it to the project and to the token's allowlist, or fix `repository-id` and push."
	};
}
function findRepository(entries, wanted) {
	const { repositoryId } = wanted;
	const chosen = repositoryId === void 0 ? repositoryByName(entries, wanted) : repositoryById(entries, repositoryId);
	if (!chosen.ok) return chosen;
	if (chosen.value !== void 0) return result_ok(chosen.value);
	const { sound, malformed } = splitEntries(entries);
	const same = sound.filter((repository) => mayBeCalled(repository, wanted));
	const missing = notListed(calledIn(wanted));
	const cause = `${missing.cause}${leftOutSentence(malformed)}`;
	return result_err({
		...missing,
		cause,
		...same.length > 0 && { nextStep: setId(same) }
	});
}
function setId(repositories) {
	return `Set \`repository-id\` in the workflow and push. Use one of: ${listed(repositories.map(({ id, url }) => `${id} (${url})`))}.`;
}
function calledIn({ repositoryId, owner, name }) {
	return repositoryId ?? `${owner}/${name}`;
}
function repositoryByName(entries, wanted) {
	const { sound, malformed } = splitEntries(entries);
	const doubtful = malformed.filter(({ readable }) => mayBeCalled(readable, wanted));
	if (doubtful.length > 0) return result_err(malformedCandidate("repositories", doubtful, "Set `repository-id` to the id of this repository in the service"));
	const { owner, name, serverUrl } = wanted;
	const same = sound.filter((repository) => mayBeCalled(repository, wanted));
	if (same.length <= 1) return result_ok(same[0]);
	const here = same.filter(({ url }) => hostOf(url) === hostOf(serverUrl));
	if (here.length === 1) return result_ok(here[0]);
	return result_err({
		reason: "configuration",
		cause: `The project has ${same.length} repositories named \`${foreignLine(`${owner}/${name}`)}\`.`,
		nextStep: setId(same)
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
function choose_choosePreset(entries, ref, kind = "diff") {
	const { sound: presets, malformed } = splitEntries(entries);
	const isMeant = (shown) => ref === void 0 ? choose_isOfKind(shown, kind) : shown.ref === ref;
	const { one, none, several } = PRESETS[kind];
	const doubtful = malformed.filter(({ readable }) => isMeant(readable));
	if (doubtful.length > 0) return result_err(malformedCandidate("presets", doubtful, `Set \`preset\` to the ref of ${ref === void 0 ? "the" : "another"} ${one}`));
	const matching = presets.filter(isMeant);
	const candidates = ref === void 0 ? matching : matching.slice(0, 1);
	const [preset, ...others] = candidates;
	const all = listed(presets.map(({ ref, name }) => `${ref} (${name})`));
	if (preset !== void 0 && others.length === 0) return kind === "full" && looksLikeDiff(preset) ? result_err(diffPresetForAll(preset, all)) : result_ok(preset);
	return result_err({
		reason: "configuration",
		cause: `${ref !== void 0 ? `The project has no preset with the ref \`${foreignLine(ref)}\`.` : preset === void 0 ? `The project has ${none}.` : `The project has ${candidates.length} ${several}.`}${leftOutSentence(malformed)}`,
		nextStep: presets.length === 0 ? "Ask a project admin of the service to add one, then re-run this job." : `Set \`preset\` to the ref of a ${one} and push. The project's presets: ${all}.`
	});
}
function looksLikeDiff({ ref = "", name = "" }) {
	return DIFF.test(ref) || DIFF.test(name);
}
function choose_isOfKind(shown, kind) {
	if (kind === "diff") return looksLikeDiff(shown);
	return (shown.ref !== void 0 || shown.name !== void 0) && !looksLikeDiff(shown);
}
function diffPresetForAll({ ref }, all) {
	return {
		reason: "configuration",
		cause: `The preset \`${foreignLine(ref)}\` scans a change, but this event scans all files of the commit.`,
		nextStep: `Set \`preset\` to a preset of another kind and push. The project's presets: ${all}.`
	};
}
function choose_chooseBudget(wanted, preset) {
	const { minCredits } = preset;
	if (wanted === void 0) return result_ok(minCredits === 0 ? void 0 : minCredits);
	if (wanted >= minCredits) return result_ok(wanted);
	return result_err({
		reason: "configuration",
		cause: `The budget of ${wanted} credits is below the minimum of preset \`${foreignLine(preset.ref)}\` (${minCredits} credits).`,
		nextStep: `Set \`credit-budget\` to ${minCredits} or more, or remove it to use the minimum. Then push.`
	});
}
function target_isCommitId(value) {
	return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(value);
}
function planBase(headSha, input, { given, sets, removes, unreadable }) {
	const head = sets.headSha?.toLowerCase() ?? headSha;
	if (unreadable.has("headSha") || head !== headSha) return result_err(OTHER_COMMIT);
	const sentIds = new Set(commitIdsIn(given));
	if (removes.has("headSha") && !sentIds.has(headSha)) return result_err(HEAD_NOT_SENT);
	if (removes.has("baseSha")) {
		const [renamed, ...more] = [...sentIds].filter((id) => id !== headSha);
		return more.length > 0 ? result_err(SEVERAL_BASES) : result_ok(renamed ?? input);
	}
	if (unreadable.has("baseSha")) return result_err(NO_COMMIT_ID);
	if (sets.baseSha === void 0) return result_ok(input);
	const base = sets.baseSha.toLowerCase();
	return target_isCommitId(base) ? result_ok(base) : result_err(NO_COMMIT_ID);
}
function commitIdsIn(value) {
	if (typeof value === "string") return target_isCommitId(value.toLowerCase()) ? [value.toLowerCase()] : [];
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
const REPORT = "Open an issue in the Scangate repository with the names that the service uses, or compare its OpenAPI file by `npm run contract`.";
const LOST = "a launch whose answer is lost ends as `launch-unknown`";
function assumptionRows(service, isPublic) {
	const scans = service?.lists?.scans;
	const { scan, findings } = service ?? {};
	return [
		rowOf("Scan list", scans, ({ scans: items }) => items.length === 0 ? void 0 : listAssumptions(items)),
		needed(rowOf("Scan detail", scans?.ok && scans.value.scans.length === 0 ? NO_SCAN : scan, detailAssumptions), scan),
		needed(rowOf("Findings", findings, (items) => items.length === 0 ? void 0 : findingAssumptions(items, isPublic)), findings)
	];
}
function needed(row, read) {
	if (read === void 0 || read.ok) return row;
	const text = isRefusal(read.error) ? `${row.text} The gate needs it, and fails as the doctor does.` : `Could not be checked. ${row.text}`;
	return {
		...row,
		level: "error",
		text
	};
}
function isRefusal(error) {
	return error.kind === "refused" && error.status < 500 && ![408, 429].includes(error.status);
}
const NO_SCAN = {
	ok: true,
	value: void 0
};
function rowOf(check, read, assumptionsOf) {
	if (read === void 0) return skipped(check, "Not checked: it was not read.");
	if (!read.ok) {
		const { cause, nextStep } = explainRead(read.error);
		return row_warning(check, cause, fixerOf(read.error), nextStep);
	}
	const assumptions = assumptionsOf(read.value);
	if (assumptions === void 0) return skipped(check, "The service has none to look at yet. Run the doctor again after the first scan.");
	const [shown, hidden] = [true, false].map((is) => assumptions.filter(({ isShown }) => isShown === is));
	const shows = shown?.length === 0 ? "Shows nothing of use." : `Shows ${namesOf(shown)}.`;
	const harmless = hidden?.filter(({ otherwise }) => otherwise === "") ?? [];
	const harmful = hidden?.filter(({ otherwise }) => otherwise !== "") ?? [];
	const unneeded = harmless.length === 0 ? "" : ` Does not show ${namesOf(harmless)}, which nothing needs.`;
	if (harmful.length === 0) return row_ok(check, `${shows}${unneeded}`);
	return row_warning(check, `${shows}${unneeded}${harmful.map(({ what, otherwise }) => ` No ${what}: ${otherwise}.`).join("")}`, "Workflow maintainer", REPORT);
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
			otherwise: `unless it is a full scan, the report says "base not confirmed by the service", and ${LOST}`
		},
		{
			what: "phases",
			isShown: progress.phasesTotal !== void 0,
			otherwise: "the log shows no progress, and an incomplete scan is not noticed"
		}
	];
}
function findingAssumptions(findings, isPublic) {
	const total = findings.length;
	const unknown = findings.filter(({ severity }) => severity.level === "unknown");
	const count = `${unknown.length} of ${total} findings`;
	const named = [...new Set(unknown.map(({ severity }) => severity.word))].map((word) => code(word || "(none)"));
	return [
		{
			what: "id",
			isShown: findings.every(({ hasId }) => hasId),
			otherwise: "findings have no link to the service, and details are not read"
		},
		{
			what: "title",
			isShown: findings.every(({ hasTitle }) => hasTitle),
			otherwise: `a finding is called "${UNTITLED}"`
		},
		{
			what: "place",
			isShown: findings.some(({ hasPlace }) => hasPlace),
			otherwise: "no line is annotated, findings are listed only"
		},
		{
			what: "known severity",
			isShown: unknown.length === 0,
			otherwise: isPublic ? `${count} count as above \`critical\`` : `${count} have ${listed(named)}, which counts as above \`critical\``
		}
	];
}
/*! js-yaml 5.5.0 https://github.com/nodeca/js-yaml @license MIT */
var NOT_RESOLVED = Symbol("NOT_RESOLVED");
function defineScalarTag(tagName, options) {
	return {
		tagName,
		nodeKind: "scalar",
		implicit: options.implicit ?? false,
		matchByTagPrefix: options.matchByTagPrefix ?? false,
		implicitFirstChars: options.implicitFirstChars ?? null,
		resolve: options.resolve,
		identify: options.identify,
		represent: options.represent ?? ((data) => String(data)),
		representTagName: options.representTagName ?? (() => tagName)
	};
}
function defineSequenceTag(tagName, options) {
	return {
		tagName,
		nodeKind: "sequence",
		implicit: false,
		matchByTagPrefix: options.matchByTagPrefix ?? false,
		create: options.create,
		addItem: options.addItem,
		finalize: options.finalize ?? ((carrier) => carrier),
		carrierIsResult: options.finalize === void 0,
		identify: options.identify,
		represent: options.represent ?? ((data) => data),
		representTagName: options.representTagName ?? (() => tagName)
	};
}
function defineMappingTag(tagName, options) {
	return {
		tagName,
		nodeKind: "mapping",
		implicit: false,
		matchByTagPrefix: options.matchByTagPrefix ?? false,
		create: options.create,
		addPair: options.addPair,
		has: options.has,
		keys: options.keys,
		get: options.get,
		finalize: options.finalize ?? ((carrier) => carrier),
		carrierIsResult: options.finalize === void 0,
		identify: options.identify,
		represent: options.represent ?? ((data) => data),
		representTagName: options.representTagName ?? (() => tagName)
	};
}
var strTag = defineScalarTag("tag:yaml.org,2002:str", {
	resolve: (source) => source,
	identify: (data) => typeof data === "string"
});
var NULL_VALUES$1 = [
	"",
	"~",
	"null",
	"Null",
	"NULL"
];
var nullCoreTag = defineScalarTag("tag:yaml.org,2002:null", {
	implicit: true,
	implicitFirstChars: [
		"",
		"~",
		"n",
		"N"
	],
	resolve: (source) => {
		if (NULL_VALUES$1.indexOf(source) !== -1) return null;
		return NOT_RESOLVED;
	},
	identify: (object) => object === null,
	represent: () => "null"
});
var nullJsonTag = defineScalarTag("tag:yaml.org,2002:null", {
	implicit: true,
	implicitFirstChars: ["n"],
	resolve: (source, isExplicit) => {
		if (source === "null" || isExplicit && source === "") return null;
		return NOT_RESOLVED;
	},
	identify: (object) => object === null,
	represent: () => "null"
});
var NULL_VALUES = [
	"",
	"~",
	"null",
	"Null",
	"NULL"
];
var nullYaml11Tag = defineScalarTag("tag:yaml.org,2002:null", {
	implicit: true,
	implicitFirstChars: [
		"",
		"~",
		"n",
		"N"
	],
	resolve: (source) => {
		if (NULL_VALUES.indexOf(source) !== -1) return null;
		return NOT_RESOLVED;
	},
	identify: (object) => object === null,
	represent: () => "null"
});
var TRUE_VALUES$2 = [
	"true",
	"True",
	"TRUE"
];
var FALSE_VALUES$2 = [
	"false",
	"False",
	"FALSE"
];
var boolCoreTag = defineScalarTag("tag:yaml.org,2002:bool", {
	implicit: true,
	implicitFirstChars: [
		"t",
		"T",
		"f",
		"F"
	],
	resolve: (source) => {
		if (TRUE_VALUES$2.indexOf(source) !== -1) return true;
		if (FALSE_VALUES$2.indexOf(source) !== -1) return false;
		return NOT_RESOLVED;
	},
	identify: (object) => Object.prototype.toString.call(object) === "[object Boolean]",
	represent: (object) => object ? "true" : "false"
});
var TRUE_VALUES$1 = ["true"];
var FALSE_VALUES$1 = ["false"];
var boolJsonTag = defineScalarTag("tag:yaml.org,2002:bool", {
	implicit: true,
	implicitFirstChars: ["t", "f"],
	resolve: (source) => {
		if (TRUE_VALUES$1.indexOf(source) !== -1) return true;
		if (FALSE_VALUES$1.indexOf(source) !== -1) return false;
		return NOT_RESOLVED;
	},
	identify: (object) => Object.prototype.toString.call(object) === "[object Boolean]",
	represent: (object) => object ? "true" : "false"
});
var TRUE_VALUES = [
	"true",
	"True",
	"TRUE",
	"y",
	"Y",
	"yes",
	"Yes",
	"YES",
	"on",
	"On",
	"ON"
];
var FALSE_VALUES = [
	"false",
	"False",
	"FALSE",
	"n",
	"N",
	"no",
	"No",
	"NO",
	"off",
	"Off",
	"OFF"
];
var boolYaml11Tag = defineScalarTag("tag:yaml.org,2002:bool", {
	implicit: true,
	implicitFirstChars: [
		"y",
		"Y",
		"n",
		"N",
		"t",
		"T",
		"f",
		"F",
		"o",
		"O"
	],
	resolve: (source) => {
		if (TRUE_VALUES.indexOf(source) !== -1) return true;
		if (FALSE_VALUES.indexOf(source) !== -1) return false;
		return NOT_RESOLVED;
	},
	identify: (object) => Object.prototype.toString.call(object) === "[object Boolean]",
	represent: (object) => object ? "true" : "false"
});
var YAML_INTEGER_IMPLICIT_PATTERN$1 = new RegExp("^(?:0o[0-7]+|0x[0-9a-fA-F]+|[-+]?[0-9]+)$");
var YAML_INTEGER_EXPLICIT_PATTERN$1 = new RegExp("^(?:[-+]?0b[0-1]+|[-+]?0o[0-7]+|[-+]?0x[0-9a-fA-F]+|[-+]?[0-9]+)$");
function parseYamlInteger$2(source) {
	let value = source;
	let sign = 1;
	if (value[0] === "-" || value[0] === "+") {
		if (value[0] === "-") sign = -1;
		value = value.slice(1);
	}
	if (value.startsWith("0b")) return sign * parseInt(value.slice(2), 2);
	if (value.startsWith("0o")) return sign * parseInt(value.slice(2), 8);
	if (value.startsWith("0x")) return sign * parseInt(value.slice(2), 16);
	return sign * parseInt(value, 10);
}
function resolveYamlInteger$2(source, isExplicit) {
	if (isExplicit) {
		if (!YAML_INTEGER_EXPLICIT_PATTERN$1.test(source)) return NOT_RESOLVED;
	} else if (!YAML_INTEGER_IMPLICIT_PATTERN$1.test(source)) return NOT_RESOLVED;
	const result = parseYamlInteger$2(source);
	return Number.isFinite(result) ? result : NOT_RESOLVED;
}
var intCoreTag = defineScalarTag("tag:yaml.org,2002:int", {
	implicit: true,
	implicitFirstChars: [
		"-",
		"+",
		..."0123456789"
	],
	resolve: resolveYamlInteger$2,
	identify: (object) => Number.isInteger(object) && !Object.is(object, -0) && object.toString(10).indexOf("e") < 0,
	represent: (object) => object.toString(10)
});
var YAML_INTEGER_IMPLICIT_PATTERN = new RegExp("^-?(?:0|[1-9][0-9]*)$");
var YAML_INTEGER_EXPLICIT_PATTERN = new RegExp("^(?:[-+]?0b[0-1]+|[-+]?0o[0-7]+|[-+]?0x[0-9a-fA-F]+|[-+]?[0-9]+)$");
function parseYamlInteger$1(source) {
	let value = source;
	let sign = 1;
	if (value[0] === "-" || value[0] === "+") {
		if (value[0] === "-") sign = -1;
		value = value.slice(1);
	}
	if (value.startsWith("0b")) return sign * parseInt(value.slice(2), 2);
	if (value.startsWith("0o")) return sign * parseInt(value.slice(2), 8);
	if (value.startsWith("0x")) return sign * parseInt(value.slice(2), 16);
	return sign * parseInt(value, 10);
}
function resolveYamlInteger$1(source, isExplicit) {
	if (isExplicit) {
		if (!YAML_INTEGER_EXPLICIT_PATTERN.test(source)) return NOT_RESOLVED;
	} else if (!YAML_INTEGER_IMPLICIT_PATTERN.test(source)) return NOT_RESOLVED;
	const result = parseYamlInteger$1(source);
	return Number.isFinite(result) ? result : NOT_RESOLVED;
}
var intJsonTag = defineScalarTag("tag:yaml.org,2002:int", {
	implicit: true,
	implicitFirstChars: ["-", ..."0123456789"],
	resolve: resolveYamlInteger$1,
	identify: (object) => Number.isInteger(object) && !Object.is(object, -0) && object.toString(10).indexOf("e") < 0,
	represent: (object) => object.toString(10)
});
var YAML_INTEGER_PATTERN = new RegExp("^(?:[-+]?0b[0-1_]+|[-+]?0[0-7_]+|[-+]?0x[0-9a-fA-F_]+|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+|[-+]?(?:0|[1-9][0-9_]*))$");
function parseYamlInteger(source) {
	let value = source.replace(/_/g, "");
	let sign = 1;
	if (value[0] === "-" || value[0] === "+") {
		if (value[0] === "-") sign = -1;
		value = value.slice(1);
	}
	if (value.startsWith("0b")) return sign * parseInt(value.slice(2), 2);
	if (value.startsWith("0x")) return sign * parseInt(value.slice(2), 16);
	if (value.includes(":")) {
		let result = 0;
		for (const part of value.split(":")) result = result * 60 + Number(part);
		return sign * result;
	}
	if (value !== "0" && value[0] === "0") return sign * parseInt(value, 8);
	return sign * parseInt(value, 10);
}
function resolveYamlInteger(source) {
	if (!YAML_INTEGER_PATTERN.test(source)) return NOT_RESOLVED;
	const result = parseYamlInteger(source);
	return Number.isFinite(result) ? result : NOT_RESOLVED;
}
var intYaml11Tag = defineScalarTag("tag:yaml.org,2002:int", {
	implicit: true,
	implicitFirstChars: [
		"-",
		"+",
		..."0123456789"
	],
	resolve: resolveYamlInteger,
	identify: (object) => Number.isInteger(object) && !Object.is(object, -0) && object.toString(10).indexOf("e") < 0,
	represent: (object) => object.toString(10)
});
var YAML_FLOAT_PATTERN$1 = new RegExp("^(?:[-+]?[0-9]+(?:\\.[0-9]*)?(?:[eE][-+]?[0-9]+)?|[-+]?\\.[0-9]+(?:[eE][-+]?[0-9]+)?|[-+]?\\.(?:inf|Inf|INF)|\\.(?:nan|NaN|NAN))$");
var YAML_FLOAT_SPECIAL_PATTERN$1 = new RegExp("^(?:[-+]?\\.(?:inf|Inf|INF)|\\.(?:nan|NaN|NAN))$");
function resolveYamlFloat$2(source) {
	if (!YAML_FLOAT_PATTERN$1.test(source)) return NOT_RESOLVED;
	let value = source.toLowerCase();
	const sign = value[0] === "-" ? -1 : 1;
	if ("+-".includes(value[0])) value = value.slice(1);
	if (value === ".inf") return sign === 1 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
	if (value === ".nan") return NaN;
	const result = sign * parseFloat(value);
	if (Number.isFinite(result) || YAML_FLOAT_SPECIAL_PATTERN$1.test(source)) return result;
	return NOT_RESOLVED;
}
function representYamlFloat$2(object) {
	if (isNaN(object)) return ".nan";
	if (object === Number.POSITIVE_INFINITY) return ".inf";
	if (object === Number.NEGATIVE_INFINITY) return "-.inf";
	if (Object.is(object, -0)) return "-0.0";
	const result = object.toString(10);
	return /^[-+]?[0-9]+e/.test(result) ? result.replace("e", ".e") : result;
}
var floatCoreTag = defineScalarTag("tag:yaml.org,2002:float", {
	implicit: true,
	implicitFirstChars: [
		"-",
		"+",
		".",
		..."0123456789"
	],
	resolve: resolveYamlFloat$2,
	identify: (object) => typeof object === "number" && (!Number.isInteger(object) || Object.is(object, -0) || object.toString(10).indexOf("e") >= 0),
	represent: representYamlFloat$2
});
var YAML_FLOAT_IMPLICIT_PATTERN = new RegExp("^-?(?:0|[1-9][0-9]*)(?:\\.[0-9]*)?(?:[eE][-+]?[0-9]+)?$");
var YAML_FLOAT_EXPLICIT_PATTERN = new RegExp("^(?:[-+]?[0-9]+(?:\\.[0-9]*)?(?:[eE][-+]?[0-9]+)?|[-+]?\\.[0-9]+(?:[eE][-+]?[0-9]+)?|[-+]?\\.(?:inf|Inf|INF)|\\.(?:nan|NaN|NAN))$");
function resolveYamlFloat$1(source, isExplicit) {
	if (isExplicit) {
		if (!YAML_FLOAT_EXPLICIT_PATTERN.test(source)) return NOT_RESOLVED;
		let value = source.toLowerCase();
		const sign = value[0] === "-" ? -1 : 1;
		if ("+-".includes(value[0])) value = value.slice(1);
		if (value === ".inf") return sign === 1 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
		if (value === ".nan") return NaN;
		const result = sign * parseFloat(value);
		return Number.isFinite(result) ? result : NOT_RESOLVED;
	}
	if (!YAML_FLOAT_IMPLICIT_PATTERN.test(source)) return NOT_RESOLVED;
	const result = Number(source);
	if (Number.isFinite(result)) return result;
	return NOT_RESOLVED;
}
function representYamlFloat$1(object) {
	if (isNaN(object)) return ".nan";
	if (object === Number.POSITIVE_INFINITY) return ".inf";
	if (object === Number.NEGATIVE_INFINITY) return "-.inf";
	if (Object.is(object, -0)) return "-0.0";
	const result = object.toString(10);
	return /^[-+]?[0-9]+e/.test(result) ? result.replace("e", ".e") : result;
}
var floatJsonTag = defineScalarTag("tag:yaml.org,2002:float", {
	implicit: true,
	implicitFirstChars: ["-", ..."0123456789"],
	resolve: resolveYamlFloat$1,
	identify: (object) => typeof object === "number" && (!Number.isInteger(object) || Object.is(object, -0) || object.toString(10).indexOf("e") >= 0),
	represent: representYamlFloat$1
});
var YAML_FLOAT_PATTERN = new RegExp("^(?:[-+]?(?:(?:[0-9][0-9_]*)?\\.[0-9_]*)(?:[eE][-+][0-9]+)?|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\\.[0-9_]*|[-+]?\\.(?:inf|Inf|INF)|\\.(?:nan|NaN|NAN))$");
var YAML_FLOAT_SPECIAL_PATTERN = new RegExp("^(?:[-+]?\\.(?:inf|Inf|INF)|\\.(?:nan|NaN|NAN))$");
function resolveYamlFloat(source) {
	if (!YAML_FLOAT_PATTERN.test(source)) return NOT_RESOLVED;
	let value = source.toLowerCase().replace(/_/g, "");
	const sign = value[0] === "-" ? -1 : 1;
	if ("+-".includes(value[0])) value = value.slice(1);
	if (value === ".inf") return sign === 1 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
	if (value === ".nan") return NaN;
	let result = 0;
	if (value.includes(":")) {
		for (const part of value.split(":")) result = result * 60 + Number(part);
		result *= sign;
	} else result = sign * parseFloat(value);
	if (Number.isFinite(result) || YAML_FLOAT_SPECIAL_PATTERN.test(source)) return result;
	return NOT_RESOLVED;
}
function representYamlFloat(object) {
	if (isNaN(object)) return ".nan";
	if (object === Number.POSITIVE_INFINITY) return ".inf";
	if (object === Number.NEGATIVE_INFINITY) return "-.inf";
	if (Object.is(object, -0)) return "-0.0";
	const result = object.toString(10);
	return /^[-+]?[0-9]+e/.test(result) ? result.replace("e", ".e") : result;
}
var floatYaml11Tag = defineScalarTag("tag:yaml.org,2002:float", {
	implicit: true,
	implicitFirstChars: [
		"-",
		"+",
		".",
		..."0123456789"
	],
	resolve: resolveYamlFloat,
	identify: (object) => typeof object === "number" && (!Number.isInteger(object) || Object.is(object, -0) || object.toString(10).indexOf("e") >= 0),
	represent: representYamlFloat
});
var mergeTag = defineScalarTag("tag:yaml.org,2002:merge", {
	implicit: true,
	implicitFirstChars: ["<"],
	resolve: (source, isExplicit) => {
		if (source === "<<" || isExplicit && source === "") return "<<";
		return NOT_RESOLVED;
	},
	identify: () => false
});
var BASE64_PATTERN = /^[A-Za-z0-9+/]*={0,2}$/;
function resolveYamlBinary(source) {
	const input = source.replace(/\s/g, "");
	if (input.length % 4 !== 0 || !BASE64_PATTERN.test(input)) return NOT_RESOLVED;
	const binary = atob(input);
	const result = new Uint8Array(binary.length);
	for (let index = 0; index < binary.length; index++) result[index] = binary.charCodeAt(index);
	return result;
}
function representYamlBinary(object) {
	let binary = "";
	for (let index = 0; index < object.length; index++) binary += String.fromCharCode(object[index]);
	return btoa(binary);
}
var binaryTag = defineScalarTag("tag:yaml.org,2002:binary", {
	resolve: resolveYamlBinary,
	identify: (object) => Object.prototype.toString.call(object) === "[object Uint8Array]",
	represent: representYamlBinary
});
var YAML_DATE_REGEXP = new RegExp("^([0-9][0-9][0-9][0-9])-([0-9][0-9])-([0-9][0-9])$");
var YAML_TIMESTAMP_REGEXP = new RegExp("^([0-9][0-9][0-9][0-9])-([0-9][0-9]?)-([0-9][0-9]?)(?:[Tt]|[ \\t]+)([0-9][0-9]?):([0-9][0-9]):([0-9][0-9])(?:\\.([0-9]*))?(?:[ \\t]*(Z|([-+])([0-9][0-9]?)(?::([0-9][0-9]))?))?$");
function makeUtcDate(year, month, day, hour = 0, minute = 0, second = 0, fraction = 0) {
	const date = new Date(Date.UTC(year, month, day, hour, minute, second, fraction));
	date.setUTCFullYear(year, month, day);
	return date;
}
function resolveYamlTimestamp(source) {
	let match = YAML_DATE_REGEXP.exec(source);
	if (match === null) match = YAML_TIMESTAMP_REGEXP.exec(source);
	if (match === null) return NOT_RESOLVED;
	const year = +match[1];
	const month = +match[2] - 1;
	const day = +match[3];
	if (!match[4]) {
		const date = makeUtcDate(year, month, day);
		if (date.getUTCFullYear() !== year || date.getUTCMonth() !== month || date.getUTCDate() !== day) return NOT_RESOLVED;
		return date;
	}
	const hour = +match[4];
	const minute = +match[5];
	const second = +match[6];
	let fraction = 0;
	if (hour > 23 || minute > 59 || second > 59) return NOT_RESOLVED;
	if (match[7]) {
		let value = match[7].slice(0, 3);
		while (value.length < 3) value += "0";
		fraction = +value;
	}
	const date = makeUtcDate(year, month, day, hour, minute, second, fraction);
	if (date.getUTCFullYear() !== year || date.getUTCMonth() !== month || date.getUTCDate() !== day) return NOT_RESOLVED;
	if (match[9]) {
		const offsetHour = +match[10];
		const offsetMinute = +(match[11] || 0);
		if (offsetHour > 23 || offsetMinute > 59) return NOT_RESOLVED;
		const offset = (offsetHour * 60 + offsetMinute) * 6e4;
		date.setTime(date.getTime() - (match[9] === "-" ? -offset : offset));
	}
	return date;
}
var timestampTag = defineScalarTag("tag:yaml.org,2002:timestamp", {
	implicit: true,
	implicitFirstChars: [..."0123456789"],
	resolve: resolveYamlTimestamp,
	identify: (object) => object instanceof Date,
	represent: (object) => object.toISOString()
});
var seqTag = defineSequenceTag("tag:yaml.org,2002:seq", {
	create: () => [],
	addItem: (container, item) => {
		container.push(item);
	},
	identify: Array.isArray
});
function js_yaml_isPlainObject(data) {
	if (data === null || typeof data !== "object" || Array.isArray(data)) return false;
	const prototype = Object.getPrototypeOf(data);
	return prototype === null || prototype === Object.prototype;
}
function js_yaml_pick(object, keys) {
	const result = {};
	for (const key of keys) if (object[key] !== void 0) result[key] = object[key];
	return result;
}
var omapTag = defineSequenceTag("tag:yaml.org,2002:omap", {
	create: () => ({
		list: [],
		seen: new Set()
	}),
	addItem: (carrier, item) => {
		let key;
		if (item instanceof Map) {
			if (item.size !== 1) return "cannot resolve an ordered map item";
			key = item.keys().next().value;
		} else if (js_yaml_isPlainObject(item)) {
			const itemKeys = Object.keys(item);
			if (itemKeys.length !== 1) return "cannot resolve an ordered map item";
			key = itemKeys[0];
		} else return "cannot resolve an ordered map item";
		if (carrier.seen.has(key)) return "duplicate key in ordered map";
		carrier.seen.add(key);
		carrier.list.push(item);
		return "";
	},
	finalize: (carrier) => carrier.list,
	identify: () => false
});
var pairsTag = defineSequenceTag("tag:yaml.org,2002:pairs", {
	create: () => [],
	addItem: (container, item) => {
		if (item instanceof Map) {
			if (item.size !== 1) return "cannot resolve a pairs item";
			container.push(item.entries().next().value);
			return "";
		}
		if (Object.prototype.toString.call(item) !== "[object Object]") return "cannot resolve a pairs item";
		const object = item;
		const keys = Object.keys(object);
		if (keys.length !== 1) return "cannot resolve a pairs item";
		container.push([keys[0], object[keys[0]]]);
		return "";
	},
	identify: () => false
});
var mapTag = defineMappingTag("tag:yaml.org,2002:map", {
	create: () => ({}),
	identify: js_yaml_isPlainObject,
	represent: (o) => {
		const map = new Map();
		for (const key of Object.keys(o)) map.set(key, o[key]);
		return map;
	},
	addPair: (container, key, value) => {
		if (key !== null && typeof key === "object") return "object-based map does not support complex keys";
		const normalizedKey = String(key);
		if (normalizedKey === "__proto__") Object.defineProperty(container, normalizedKey, {
			value,
			enumerable: true,
			configurable: true,
			writable: true
		});
		else container[normalizedKey] = value;
		return "";
	},
	has: (container, key) => {
		if (key !== null && typeof key === "object") return false;
		return Object.prototype.hasOwnProperty.call(container, String(key));
	},
	keys: (container) => Object.keys(container),
	get: (container, key) => {
		const normalizedKey = String(key);
		if (!Object.prototype.hasOwnProperty.call(container, normalizedKey)) return null;
		return container[normalizedKey];
	}
});
var setTag = defineMappingTag("tag:yaml.org,2002:set", {
	create: () => new Set(),
	identify: (data) => data instanceof Set,
	represent: (data) => {
		const map = new Map();
		for (const key of data) map.set(key, null);
		return map;
	},
	addPair: (container, key, value) => {
		if (value !== null) return "cannot resolve a set item";
		container.add(key);
		return "";
	},
	has: (container, key) => container.has(key),
	keys: (container) => container.keys(),
	get: () => null
});
function createTagDefinitionMap() {
	return {
		scalar: Object.create(null),
		sequence: Object.create(null),
		mapping: Object.create(null)
	};
}
function createTagDefinitionListMap() {
	return {
		scalar: [],
		sequence: [],
		mapping: []
	};
}
function compileTags(tags) {
	const result = [];
	for (const tag of tags) {
		let index = result.length;
		for (let previousIndex = 0; previousIndex < result.length; previousIndex++) {
			const previous = result[previousIndex];
			if (previous.nodeKind === tag.nodeKind && previous.tagName === tag.tagName && previous.matchByTagPrefix === tag.matchByTagPrefix) {
				index = previousIndex;
				break;
			}
		}
		result[index] = tag;
	}
	return result;
}
var Schema = class Schema {
	tags;
	implicitScalarTags;
	implicitScalarByFirstChar;
	implicitScalarAnyFirstChar;
	defaultScalarTag;
	defaultSequenceTag;
	defaultMappingTag;
	exact;
	prefix;
	constructor(tags) {
		const compiledTags = compileTags(tags);
		const implicitScalarTags = [];
		const exact = createTagDefinitionMap();
		const prefix = createTagDefinitionListMap();
		for (const tag of compiledTags) {
			if (tag.nodeKind === "scalar" && tag.implicit) {
				if (tag.matchByTagPrefix) throw new Error("Implicit scalar tags cannot match by tag prefix");
				implicitScalarTags.push(tag);
			}
			switch (tag.nodeKind) {
				case "scalar":
					if (tag.matchByTagPrefix) prefix.scalar.push(tag);
					else exact.scalar[tag.tagName] = tag;
					break;
				case "sequence":
					if (tag.matchByTagPrefix) prefix.sequence.push(tag);
					else exact.sequence[tag.tagName] = tag;
					break;
				case "mapping": if (tag.matchByTagPrefix) prefix.mapping.push(tag);
				else exact.mapping[tag.tagName] = tag;
			}
		}
		const implicitScalarAnyFirstChar = implicitScalarTags.filter((tag) => tag.implicitFirstChars === null);
		const keys = new Set();
		for (const tag of implicitScalarTags) if (tag.implicitFirstChars !== null) for (const key of tag.implicitFirstChars) keys.add(key);
		const implicitScalarByFirstChar = new Map();
		for (const key of keys) implicitScalarByFirstChar.set(key, implicitScalarTags.filter((tag) => tag.implicitFirstChars === null || tag.implicitFirstChars.indexOf(key) !== -1));
		const defaultScalarTag = exact.scalar["tag:yaml.org,2002:str"];
		if (!defaultScalarTag) throw new Error("schema does not define the default scalar tag (tag:yaml.org,2002:str)");
		this.tags = compiledTags;
		this.implicitScalarTags = implicitScalarTags;
		this.implicitScalarByFirstChar = implicitScalarByFirstChar;
		this.implicitScalarAnyFirstChar = implicitScalarAnyFirstChar;
		this.defaultScalarTag = defaultScalarTag;
		this.defaultSequenceTag = exact.sequence["tag:yaml.org,2002:seq"];
		this.defaultMappingTag = exact.mapping["tag:yaml.org,2002:map"];
		this.exact = exact;
		this.prefix = prefix;
	}
	lookupScalarTag(tagName) {
		const exactTag = this.exact.scalar[tagName];
		if (exactTag) return exactTag;
		for (const tag of this.prefix.scalar) if (tagName.startsWith(tag.tagName)) return tag;
	}
	lookupSequenceTag(tagName) {
		const exactTag = this.exact.sequence[tagName];
		if (exactTag) return exactTag;
		for (const tag of this.prefix.sequence) if (tagName.startsWith(tag.tagName)) return tag;
	}
	lookupMappingTag(tagName) {
		const exactTag = this.exact.mapping[tagName];
		if (exactTag) return exactTag;
		for (const tag of this.prefix.mapping) if (tagName.startsWith(tag.tagName)) return tag;
	}
	resolveImplicitScalarTag(source) {
		const candidates = this.implicitScalarByFirstChar.get(source.charAt(0)) ?? this.implicitScalarAnyFirstChar;
		for (const tag of candidates) {
			const value = tag.resolve(source, false, tag.tagName);
			if (value !== NOT_RESOLVED) return {
				value,
				tag
			};
		}
		const tag = this.defaultScalarTag;
		return {
			value: tag.resolve(source, false, tag.tagName),
			tag
		};
	}
	withTags(...tags) {
		let flatTags = [];
		for (const tag of tags) flatTags = flatTags.concat(tag);
		return new Schema([...this.tags, ...flatTags]);
	}
};
var FAILSAFE_SCHEMA = new Schema([
	strTag,
	seqTag,
	mapTag
]);
new Schema([
	...FAILSAFE_SCHEMA.tags,
	nullJsonTag,
	boolJsonTag,
	intJsonTag,
	floatJsonTag
]);
var CORE_SCHEMA = new Schema([
	...FAILSAFE_SCHEMA.tags,
	nullCoreTag,
	boolCoreTag,
	intCoreTag,
	floatCoreTag
]);
new Schema([
	...FAILSAFE_SCHEMA.tags,
	nullYaml11Tag,
	boolYaml11Tag,
	intYaml11Tag,
	floatYaml11Tag,
	timestampTag,
	mergeTag,
	binaryTag,
	omapTag,
	pairsTag,
	setTag
]).withTags({
	...intYaml11Tag,
	resolve: (source, isExplicit, tagName) => {
		const result = intYaml11Tag.resolve(source, isExplicit, tagName);
		return result === NOT_RESOLVED ? intCoreTag.resolve(source, isExplicit, tagName) : result;
	}
}, {
	...floatYaml11Tag,
	resolve: (source, isExplicit, tagName) => {
		const result = floatYaml11Tag.resolve(source, isExplicit, tagName);
		return result === NOT_RESOLVED ? floatCoreTag.resolve(source, isExplicit, tagName) : result;
	}
});
var realMapTag = defineMappingTag("tag:yaml.org,2002:map", {
	create: () => new Map(),
	addPair: (container, key, value) => {
		container.set(key, value);
		return "";
	},
	has: (container, key) => container.has(key),
	keys: (container) => container.keys(),
	get: (container, key) => container.get(key),
	identify: (data) => data instanceof Map || js_yaml_isPlainObject(data),
	represent: (data) => {
		if (data instanceof Map) return data;
		const map = new Map();
		const obj = data;
		for (const key of Object.keys(obj)) map.set(key, obj[key]);
		return map;
	}
});
var DEFAULT_SNIPPET_OPTIONS = {
	maxLength: 79,
	indent: 1,
	linesBefore: 3,
	linesAfter: 2
};
function getLine(buffer, lineStart, lineEnd, position, maxLineLength) {
	let head = "";
	let tail = "";
	const maxHalfLength = Math.floor(maxLineLength / 2) - 1;
	if (position - lineStart > maxHalfLength) {
		head = " ... ";
		lineStart = position - maxHalfLength + head.length;
	}
	if (lineEnd - position > maxHalfLength) {
		tail = " ...";
		lineEnd = position + maxHalfLength - tail.length;
	}
	return {
		str: head + buffer.slice(lineStart, lineEnd).replace(/\t/g, "\u2192") + tail,
		pos: position - lineStart + head.length
	};
}
function padStart(string, max) {
	return " ".repeat(Math.max(max - string.length, 0)) + string;
}
function makeSnippet(mark, options) {
	if (!mark.buffer) return null;
	const opts = {
		...DEFAULT_SNIPPET_OPTIONS,
		...options
	};
	const re = /\r?\n|\r|\0/g;
	const lineStarts = [0];
	const lineEnds = [];
	let match;
	let foundLineNo = -1;
	while (match = re.exec(mark.buffer)) {
		lineEnds.push(match.index);
		lineStarts.push(match.index + match[0].length);
		if (mark.position <= match.index && foundLineNo < 0) foundLineNo = lineStarts.length - 2;
	}
	if (foundLineNo < 0) foundLineNo = lineStarts.length - 1;
	let result = "";
	const lineNoLength = Math.min(mark.line + opts.linesAfter, lineEnds.length).toString().length;
	const maxLineLength = opts.maxLength - (opts.indent + lineNoLength + 3);
	for (let i = 1; i <= opts.linesBefore; i++) {
		if (foundLineNo - i < 0) break;
		const line = getLine(mark.buffer, lineStarts[foundLineNo - i], lineEnds[foundLineNo - i], mark.position - (lineStarts[foundLineNo] - lineStarts[foundLineNo - i]), maxLineLength);
		result = `${" ".repeat(opts.indent)}${padStart((mark.line - i + 1).toString(), lineNoLength)} | ${line.str}\n${result}`;
	}
	const line = getLine(mark.buffer, lineStarts[foundLineNo], lineEnds[foundLineNo], mark.position, maxLineLength);
	result += `${" ".repeat(opts.indent)}${padStart((mark.line + 1).toString(), lineNoLength)} | ${line.str}\n`;
	result += `${"-".repeat(opts.indent + lineNoLength + 3 + line.pos)}^\n`;
	for (let i = 1; i <= opts.linesAfter; i++) {
		if (foundLineNo + i >= lineEnds.length) break;
		const line = getLine(mark.buffer, lineStarts[foundLineNo + i], lineEnds[foundLineNo + i], mark.position - (lineStarts[foundLineNo] - lineStarts[foundLineNo + i]), maxLineLength);
		result += `${" ".repeat(opts.indent)}${padStart((mark.line + i + 1).toString(), lineNoLength)} | ${line.str}\n`;
	}
	return result.replace(/\n$/, "");
}
function formatError(exception, compact) {
	let where = "";
	if (!exception.mark) return exception.reason;
	if (exception.mark.name) where += `in "${exception.mark.name}" `;
	where += `(${exception.mark.line + 1}:${exception.mark.column + 1})`;
	if (!compact && exception.mark.snippet) where += `\n\n${exception.mark.snippet}`;
	return `${exception.reason} ${where}`;
}
var YAMLException = class YAMLException extends Error {
	reason;
	mark;
	constructor(reason, mark) {
		super();
		this.name = "YAMLException";
		this.reason = reason;
		this.mark = mark;
		this.message = formatError(this, false);
		if (Error.captureStackTrace) Error.captureStackTrace(this, this.constructor);
	}
	toString(compact) {
		return `${this.name}: ${formatError(this, compact)}`;
	}
	static throwAt(source, position, message, filename = "") {
		let line = 0;
		let lineStart = 0;
		for (let index = 0; index < position; index++) {
			const ch = source.charCodeAt(index);
			if (ch === 10) {
				line++;
				lineStart = index + 1;
			} else if (ch === 13) {
				line++;
				if (source.charCodeAt(index + 1) === 10) index++;
				lineStart = index + 1;
			}
		}
		const mark = {
			name: filename,
			buffer: source,
			position,
			line,
			column: position - lineStart
		};
		mark.snippet = makeSnippet(mark);
		throw new YAMLException(message, mark);
	}
};
var EVENT_ID = {
	DOCUMENT: 1,
	SEQUENCE: 2,
	MAPPING: 3,
	SCALAR: 4,
	ALIAS: 5,
	POP: 6
};
var SCALAR_STYLE = {
	PLAIN: 1,
	SINGLE_QUOTED: 2,
	DOUBLE_QUOTED: 3,
	LITERAL_BLOCK: 4,
	FOLDED_BLOCK: 5
};
var COLLECTION_STYLE = {
	BLOCK: 1,
	FLOW: 2
};
var CHOMPING_MODE = {
	CLIP: 1,
	STRIP: 2,
	KEEP: 3
};
var NO_RANGE$3 = -1;
function simpleEscapeSequence(c) {
	switch (c) {
		case 48: return "\0";
		case 97: return "\x07";
		case 98: return "\b";
		case 116: return "	";
		case 9: return "	";
		case 110: return "\n";
		case 118: return "\v";
		case 102: return "\f";
		case 114: return "\r";
		case 101: return "\x1B";
		case 32: return " ";
		case 34: return "\"";
		case 47: return "/";
		case 92: return "\\";
		case 78: return "\u0085";
		case 95: return "\xA0";
		case 76: return "\u2028";
		case 80: return "\u2029";
		default: return "";
	}
}
var simpleEscapeCheck = new Array(256);
var simpleEscapeMap = new Array(256);
for (let i = 0; i < 256; i++) {
	simpleEscapeCheck[i] = simpleEscapeSequence(i) ? 1 : 0;
	simpleEscapeMap[i] = simpleEscapeSequence(i);
}
function charFromCodepoint(c) {
	if (c <= 65535) return String.fromCharCode(c);
	return String.fromCharCode((c - 65536 >> 10) + 55296, (c - 65536 & 1023) + 56320);
}
function fromHexCode$1(c) {
	if (c >= 48 && c <= 57) return c - 48;
	return (c | 32) - 97 + 10;
}
function escapedHexLen$1(c) {
	if (c === 120) return 2;
	if (c === 117) return 4;
	return 8;
}
function skipFoldedBreaks(input, position, end) {
	let breaks = 0;
	while (position < end) {
		const ch = input.charCodeAt(position);
		if (ch === 10) {
			breaks++;
			position++;
		} else if (ch === 13) {
			breaks++;
			position++;
			if (input.charCodeAt(position) === 10) position++;
		} else if (ch === 32 || ch === 9) position++;
		else break;
	}
	return {
		position,
		breaks
	};
}
function foldedBreaks(count) {
	if (count === 1) return " ";
	return "\n".repeat(count - 1);
}
function getPlainValue(input, start, end) {
	let result = "";
	let position = start;
	let captureStart = start;
	let captureEnd = start;
	while (position < end) {
		const ch = input.charCodeAt(position);
		if (ch === 10 || ch === 13) {
			result += input.slice(captureStart, captureEnd);
			const fold = skipFoldedBreaks(input, position, end);
			result += foldedBreaks(fold.breaks);
			position = captureStart = captureEnd = fold.position;
		} else {
			position++;
			if (ch !== 32 && ch !== 9) captureEnd = position;
		}
	}
	return result + input.slice(captureStart, captureEnd);
}
function getSingleQuotedValue(input, start, end) {
	let result = "";
	let position = start;
	let captureStart = start;
	let captureEnd = start;
	while (position < end) {
		const ch = input.charCodeAt(position);
		if (ch === 39) {
			result += input.slice(captureStart, position) + "'";
			position += 2;
			captureStart = captureEnd = position;
		} else if (ch === 10 || ch === 13) {
			result += input.slice(captureStart, captureEnd);
			const fold = skipFoldedBreaks(input, position, end);
			result += foldedBreaks(fold.breaks);
			position = captureStart = captureEnd = fold.position;
		} else {
			position++;
			if (ch !== 32 && ch !== 9) captureEnd = position;
		}
	}
	return result + input.slice(captureStart, end);
}
function getDoubleQuotedValue(input, start, end) {
	let result = "";
	let position = start;
	let captureStart = start;
	let captureEnd = start;
	while (position < end) {
		const ch = input.charCodeAt(position);
		if (ch === 92) {
			result += input.slice(captureStart, position);
			position++;
			const escaped = input.charCodeAt(position);
			if (escaped === 10 || escaped === 13) position = skipFoldedBreaks(input, position, end).position;
			else if (escaped < 256 && simpleEscapeCheck[escaped]) {
				result += simpleEscapeMap[escaped];
				position++;
			} else {
				let hexLength = escapedHexLen$1(escaped);
				let hexResult = 0;
				for (; hexLength > 0; hexLength--) {
					position++;
					const digit = fromHexCode$1(input.charCodeAt(position));
					hexResult = (hexResult << 4) + digit;
				}
				result += charFromCodepoint(hexResult);
				position++;
			}
			captureStart = captureEnd = position;
		} else if (ch === 10 || ch === 13) {
			result += input.slice(captureStart, captureEnd);
			const fold = skipFoldedBreaks(input, position, end);
			result += foldedBreaks(fold.breaks);
			position = captureStart = captureEnd = fold.position;
		} else {
			position++;
			if (ch !== 32 && ch !== 9) captureEnd = position;
		}
	}
	return result + input.slice(captureStart, end);
}
function getBlockValue(input, start, end, indent, chomping, folded) {
	const textIndent = indent < 0 ? 0 : indent;
	const region = input.slice(start, end).replace(/\r\n?/g, "\n");
	const lines = region === "" ? [] : (region.endsWith("\n") ? region.slice(0, -1) : region).split("\n");
	let result = "";
	let didReadContent = false;
	let emptyLines = 0;
	let atMoreIndented = false;
	for (const line of lines) {
		let column = 0;
		while (column < textIndent && line.charCodeAt(column) === 32) column++;
		if (indent < 0 || column >= line.length) {
			emptyLines++;
			continue;
		}
		const content = line.slice(textIndent);
		const first = content.charCodeAt(0);
		if (folded) {
			if (first === 32 || first === 9) {
				atMoreIndented = true;
				result += "\n".repeat(didReadContent ? 1 + emptyLines : emptyLines);
			} else if (atMoreIndented) {
				atMoreIndented = false;
				result += "\n".repeat(emptyLines + 1);
			} else if (emptyLines === 0) {
				if (didReadContent) result += " ";
			} else result += "\n".repeat(emptyLines);
		} else result += "\n".repeat(didReadContent ? 1 + emptyLines : emptyLines);
		result += content;
		didReadContent = true;
		emptyLines = 0;
	}
	if (chomping === CHOMPING_MODE.KEEP) result += "\n".repeat(didReadContent ? 1 + emptyLines : emptyLines);
	else if (chomping !== CHOMPING_MODE.STRIP) {
		if (didReadContent) result += "\n";
	}
	return result;
}
function getScalarValue(input, scalar) {
	if (scalar.valueStart === NO_RANGE$3) return "";
	const { valueStart, valueEnd } = scalar;
	if (scalar.fast) return input.slice(valueStart, valueEnd);
	switch (scalar.style) {
		case SCALAR_STYLE.SINGLE_QUOTED: return getSingleQuotedValue(input, valueStart, valueEnd);
		case SCALAR_STYLE.DOUBLE_QUOTED: return getDoubleQuotedValue(input, valueStart, valueEnd);
		case SCALAR_STYLE.LITERAL_BLOCK: return getBlockValue(input, valueStart, valueEnd, scalar.indent, scalar.chomping, false);
		case SCALAR_STYLE.FOLDED_BLOCK: return getBlockValue(input, valueStart, valueEnd, scalar.indent, scalar.chomping, true);
		default: return getPlainValue(input, valueStart, valueEnd);
	}
}
var DEFAULT_TAG_HANDLERS = Object.assign(Object.create(null), {
	"!": "!",
	"!!": "tag:yaml.org,2002:"
});
function tagPercentDecode(source) {
	let result = "";
	let index = 0;
	while (index < source.length) {
		if (source.charCodeAt(index) !== 37) {
			result += source[index++];
			continue;
		}
		let ch = parseInt(source.slice(index + 1, index + 3), 16);
		index += 3;
		if (ch >= 192) {
			let remaining = ch < 224 ? 1 : ch < 240 ? 2 : 3;
			ch &= (1 << 6 - remaining) - 1;
			while (remaining-- > 0) {
				ch = ch << 6 | parseInt(source.slice(index + 1, index + 3), 16) & 63;
				index += 3;
			}
		}
		if (ch < 65536) result += String.fromCharCode(ch);
		else {
			ch -= 65536;
			result += String.fromCharCode(55296 | ch >> 10, 56320 | ch & 1023);
		}
	}
	return result;
}
function tagNameFull(rawTag, tagHandlers) {
	if (rawTag.startsWith("!<") && rawTag.endsWith(">")) return tagPercentDecode(rawTag.slice(2, -1));
	const handleEnd = rawTag.indexOf("!", 1);
	const handle = handleEnd === -1 ? "!" : rawTag.slice(0, handleEnd + 1);
	return tagPercentDecode(tagHandlers?.[handle] ?? DEFAULT_TAG_HANDLERS[handle] ?? handle) + tagPercentDecode(rawTag.slice(handle.length));
}
var NO_RANGE$2 = -1;
var MERGE_TAG_NAME = "tag:yaml.org,2002:merge";
var DEFAULT_CONSTRUCTOR_OPTIONS = {
	filename: "",
	schema: CORE_SCHEMA,
	json: false,
	maxTotalMergeKeys: 1e4,
	maxAliases: -1
};
function eventPosition$1(event) {
	if ("tagStart" in event && event.tagStart !== NO_RANGE$2) return event.tagStart;
	if ("anchorStart" in event && event.anchorStart !== NO_RANGE$2) return event.anchorStart;
	if ("valueStart" in event && event.valueStart !== NO_RANGE$2) return event.valueStart;
	if ("start" in event) return event.start;
	return 0;
}
function throwError$1(state, message) {
	YAMLException.throwAt(state.source, state.position, message, state.filename);
}
function finalizeCollection(state, position, tag, carrier) {
	try {
		return tag.finalize(carrier);
	} catch (error) {
		if (error instanceof YAMLException) throw error;
		YAMLException.throwAt(state.source, position, error instanceof Error ? error.message : String(error), state.filename);
	}
}
function constructScalar(state, event) {
	const source = getScalarValue(state.source, event);
	const rawTag = event.tagStart === NO_RANGE$2 ? "" : state.source.slice(event.tagStart, event.tagEnd);
	const strTag = state.schema.defaultScalarTag;
	if (rawTag !== "") {
		if (rawTag === "!") return {
			value: source,
			tag: strTag
		};
		const tagName = tagNameFull(rawTag, state.tagHandlers);
		const scalarTag = state.schema.lookupScalarTag(tagName);
		if (scalarTag) {
			const result = scalarTag.resolve(source, true, tagName);
			if (result === NOT_RESOLVED) throwError$1(state, `cannot resolve a node with !<${tagName}> explicit tag`);
			return {
				value: result,
				tag: scalarTag
			};
		}
		const collectionTagDef = state.schema.lookupMappingTag(tagName) ?? state.schema.lookupSequenceTag(tagName);
		if (collectionTagDef) {
			if (source !== "") throwError$1(state, `cannot resolve a node with !<${tagName}> explicit tag`);
			const carrier = collectionTagDef.create(tagName);
			return {
				value: collectionTagDef.carrierIsResult ? carrier : finalizeCollection(state, state.position, collectionTagDef, carrier),
				tag: collectionTagDef
			};
		}
		throwError$1(state, `unknown scalar tag !<${tagName}>`);
	}
	if (event.style === SCALAR_STYLE.PLAIN) return state.schema.resolveImplicitScalarTag(source);
	return {
		value: strTag.resolve(source, false, strTag.tagName),
		tag: strTag
	};
}
function collectionTagName(state, event, defaultTagName) {
	const rawTag = event.tagStart === NO_RANGE$2 ? "" : state.source.slice(event.tagStart, event.tagEnd);
	return rawTag === "" || rawTag === "!" ? defaultTagName : tagNameFull(rawTag, state.tagHandlers);
}
function isMappingTag(tag) {
	return tag.nodeKind === "mapping";
}
function chargeMergeWork(state) {
	state.totalMergeKeys++;
	if (state.maxTotalMergeKeys !== -1 && state.totalMergeKeys > state.maxTotalMergeKeys) throwError$1(state, `merge keys exceeded maxTotalMergeKeys (${state.maxTotalMergeKeys})`);
}
function mergeKeys(state, frame, source, sourceTag) {
	chargeMergeWork(state);
	for (const sourceKey of sourceTag.keys(source)) {
		chargeMergeWork(state);
		if (frame.tag.has(frame.value, sourceKey)) continue;
		const err = frame.tag.addPair(frame.value, sourceKey, sourceTag.get(source, sourceKey));
		if (err) throwError$1(state, err);
		frame.overridable ??= new Set();
		frame.overridable.add(sourceKey);
	}
}
function mergeSource(state, frame, source, sourceTag) {
	state.position = frame.keyPosition;
	if (isMappingTag(sourceTag)) mergeKeys(state, frame, source, sourceTag);
	else if (sourceTag.nodeKind === "sequence" && Array.isArray(source)) {
		if (source.length > 100) throwError$1(state, "abnormal merge sequence size");
		for (const element of source) {
			const elementTag = state.nodeTags.get(element);
			if (!elementTag) throwError$1(state, "cannot merge mappings; the provided source object is unacceptable");
			mergeKeys(state, frame, element, elementTag);
		}
	} else throwError$1(state, "cannot merge mappings; the provided source object is unacceptable");
}
function addMappingValue(state, frame, key, value, tag) {
	state.position = frame.keyPosition;
	if (frame.keyIsMerge) {
		mergeSource(state, frame, value, tag);
		return;
	}
	if (!state.json && frame.tag.has(frame.value, key) && !frame.overridable?.has(key)) throwError$1(state, "duplicated mapping key");
	const err = frame.tag.addPair(frame.value, key, value);
	if (err) throwError$1(state, err);
	frame.overridable?.delete(key);
}
function addValue(state, value, tag) {
	const frame = state.frames[state.frames.length - 1];
	if (frame.kind === "document") {
		frame.value = value;
		frame.hasValue = true;
	} else if (frame.kind === "sequence") {
		if (isMappingTag(tag)) state.nodeTags.set(value, tag);
		const err = frame.tag.addItem(frame.value, value, frame.index++);
		if (err) throwError$1(state, err);
	} else if (frame.hasKey) {
		const key = frame.key;
		frame.key = void 0;
		frame.hasKey = false;
		addMappingValue(state, frame, key, value, tag);
	} else {
		frame.key = value;
		frame.keyPosition = state.position;
		frame.hasKey = true;
		frame.keyIsMerge = tag.tagName === MERGE_TAG_NAME;
	}
}
function storeAnchor(state, event, value, tag, isValueFinal) {
	if (event.anchorStart !== NO_RANGE$2) {
		const anchor = {
			value,
			tag,
			isValueFinal
		};
		state.anchors.set(state.source.slice(event.anchorStart, event.anchorEnd), anchor);
		return anchor;
	}
	return null;
}
function constructFromEvents(events, options) {
	const state = {
		...DEFAULT_CONSTRUCTOR_OPTIONS,
		...options,
		events,
		documents: [],
		eventIndex: 0,
		position: 0,
		frames: [],
		anchors: new Map(),
		nodeTags: new Map(),
		tagHandlers: Object.create(null),
		totalMergeKeys: 0,
		aliasCount: 0
	};
	while (state.eventIndex < state.events.length) {
		const event = state.events[state.eventIndex++];
		state.position = eventPosition$1(event);
		switch (event.type) {
			case EVENT_ID.DOCUMENT:
				state.anchors = new Map();
				state.nodeTags = new Map();
				state.aliasCount = 0;
				state.tagHandlers = Object.create(null);
				for (const directive of event.directives) if (directive.kind === "tag") state.tagHandlers[directive.handle] = directive.prefix;
				state.frames.push({
					kind: "document",
					position: state.position,
					value: void 0,
					hasValue: false
				});
				break;
			case EVENT_ID.SCALAR: {
				const { value, tag } = constructScalar(state, event);
				storeAnchor(state, event, value, tag, true);
				addValue(state, value, tag);
				break;
			}
			case EVENT_ID.SEQUENCE: {
				const tagName = collectionTagName(state, event, "tag:yaml.org,2002:seq");
				const tag = state.schema.lookupSequenceTag(tagName);
				if (!tag) throwError$1(state, `unknown sequence tag !<${tagName}>`);
				const value = tag.create(tagName);
				const anchor = storeAnchor(state, event, value, tag, tag.carrierIsResult);
				state.frames.push({
					kind: "sequence",
					position: state.position,
					value,
					tag,
					anchor,
					index: 0
				});
				break;
			}
			case EVENT_ID.MAPPING: {
				const tagName = collectionTagName(state, event, "tag:yaml.org,2002:map");
				const tag = state.schema.lookupMappingTag(tagName);
				if (!tag) throwError$1(state, `unknown mapping tag !<${tagName}>`);
				const value = tag.create(tagName);
				const anchor = storeAnchor(state, event, value, tag, tag.carrierIsResult);
				state.frames.push({
					kind: "mapping",
					position: state.position,
					value,
					tag,
					anchor,
					key: void 0,
					keyPosition: state.position,
					hasKey: false,
					keyIsMerge: false,
					overridable: null
				});
				break;
			}
			case EVENT_ID.ALIAS: {
				if (state.maxAliases !== -1 && ++state.aliasCount > state.maxAliases) throwError$1(state, `aliases exceeded maxAliases (${state.maxAliases})`);
				const name = state.source.slice(event.anchorStart, event.anchorEnd);
				const anchor = state.anchors.get(name);
				if (!anchor) throwError$1(state, `unidentified alias "${name}"`);
				if (!anchor.isValueFinal) throwError$1(state, `recursive alias "${name}" is not supported for tag ${anchor.tag.tagName} because it uses finalize()`);
				addValue(state, anchor.value, anchor.tag);
				break;
			}
			case EVENT_ID.POP: {
				const frame = state.frames.pop();
				if (frame.kind === "mapping" && frame.hasKey) {
					state.position = frame.keyPosition;
					throwError$1(state, "incomplete mapping pair in event stream");
				}
				if (frame.kind === "document") state.documents.push(frame.value);
				else {
					const value = frame.tag.carrierIsResult ? frame.value : finalizeCollection(state, frame.position, frame.tag, frame.value);
					if (frame.anchor) {
						frame.anchor.value = value;
						frame.anchor.isValueFinal = true;
					}
					addValue(state, value, frame.tag);
				}
				break;
			}
		}
	}
	return state.documents;
}
var NO_RANGE$1 = -1;
var HAS_OWN = Object.prototype.hasOwnProperty;
var CONTEXT_FLOW_IN = 1;
var CONTEXT_FLOW_OUT = 2;
var CONTEXT_BLOCK_IN = 3;
var CONTEXT_BLOCK_OUT = 4;
var PATTERN_NON_PRINTABLE = /[\x00-\x08\x0B\x0C\x0E-\x1F\x7F-\x84\x86-\x9F\uFFFE\uFFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?:[^\uD800-\uDBFF]|^)[\uDC00-\uDFFF]/;
var PATTERN_FLOW_INDICATORS = /[,\[\]{}]/;
var PATTERN_TAG_HANDLE = /^(?:!|!!|![0-9A-Za-z-]+!)$/;
var NS_URI_CHAR = String.raw`(?:%[0-9A-Fa-f]{2}|[0-9A-Za-z\-#;/?:@&=+$,_.!~*'()\[\]])`;
var NS_TAG_CHAR = String.raw`(?:%[0-9A-Fa-f]{2}|[0-9A-Za-z\-#;/?:@&=+$.~*'()_])`;
var PATTERN_TAG_URI = new RegExp(`^(?:${NS_URI_CHAR})*$`);
var PATTERN_TAG_SUFFIX = new RegExp(`^(?:${NS_TAG_CHAR})+$`);
var PATTERN_TAG_PREFIX = new RegExp(`^(?:!(?:${NS_URI_CHAR})*|${NS_TAG_CHAR}(?:${NS_URI_CHAR})*)$`);
var DEFAULT_PARSER_OPTIONS = {
	filename: "",
	maxDepth: 100
};
function addDocumentEvent(state, explicitStart, explicitEnd) {
	state.events.push({
		type: EVENT_ID.DOCUMENT,
		explicitStart,
		explicitEnd,
		directives: state.directives
	});
}
function addSequenceEvent(state, start, anchorStart, anchorEnd, tagStart, tagEnd, style) {
	state.events.push({
		type: EVENT_ID.SEQUENCE,
		start,
		anchorStart,
		anchorEnd,
		tagStart,
		tagEnd,
		style
	});
}
function addMappingEvent(state, start, anchorStart, anchorEnd, tagStart, tagEnd, style) {
	state.events.push({
		type: EVENT_ID.MAPPING,
		start,
		anchorStart,
		anchorEnd,
		tagStart,
		tagEnd,
		style
	});
}
function insertFlowPairMappingEvent(state, snapshot) {
	state.events.splice(snapshot.eventsLength, 0, {
		type: EVENT_ID.MAPPING,
		start: snapshot.position,
		anchorStart: NO_RANGE$1,
		anchorEnd: NO_RANGE$1,
		tagStart: NO_RANGE$1,
		tagEnd: NO_RANGE$1,
		style: COLLECTION_STYLE.FLOW
	});
}
function addScalarEvent(state, valueStart, valueEnd, anchorStart, anchorEnd, tagStart, tagEnd, style, chomping = CHOMPING_MODE.CLIP, indent = -1, fast = false) {
	state.events.push({
		type: EVENT_ID.SCALAR,
		valueStart,
		valueEnd,
		anchorStart,
		anchorEnd,
		tagStart,
		tagEnd,
		style,
		chomping,
		indent,
		fast
	});
}
function addAliasEvent(state, anchorStart, anchorEnd) {
	state.events.push({
		type: EVENT_ID.ALIAS,
		anchorStart,
		anchorEnd
	});
}
function addPopEvent(state) {
	state.events.push({ type: EVENT_ID.POP });
}
function addEmptyScalarEvent(state) {
	addScalarEvent(state, NO_RANGE$1, NO_RANGE$1, NO_RANGE$1, NO_RANGE$1, NO_RANGE$1, NO_RANGE$1, SCALAR_STYLE.PLAIN);
}
function emptyProperties() {
	return {
		anchorStart: NO_RANGE$1,
		anchorEnd: NO_RANGE$1,
		tagStart: NO_RANGE$1,
		tagEnd: NO_RANGE$1
	};
}
function snapshotState(state) {
	return {
		position: state.position,
		line: state.line,
		lineStart: state.lineStart,
		lineIndent: state.lineIndent,
		firstTabInLine: state.firstTabInLine,
		eventsLength: state.events.length
	};
}
function restoreState(state, snapshot) {
	state.position = snapshot.position;
	state.line = snapshot.line;
	state.lineStart = snapshot.lineStart;
	state.lineIndent = snapshot.lineIndent;
	state.firstTabInLine = snapshot.firstTabInLine;
	state.events.length = snapshot.eventsLength;
}
function throwError(state, message) {
	YAMLException.throwAt(state.input.slice(0, state.length), state.position, message, state.filename);
}
function isEol(c) {
	return c === 10 || c === 13;
}
function isWhiteSpace(c) {
	return c === 9 || c === 32;
}
function isWsOrEol(c) {
	return isWhiteSpace(c) || isEol(c);
}
function isWsOrEolOrEnd(c) {
	return c === 0 || isWsOrEol(c);
}
function isFlowIndicator(c) {
	return c === 44 || c === 91 || c === 93 || c === 123 || c === 125;
}
function fromDecimalCode(c) {
	return c >= 48 && c <= 57 ? c - 48 : -1;
}
function fromHexCode(c) {
	if (c >= 48 && c <= 57) return c - 48;
	const lc = c | 32;
	if (lc >= 97 && lc <= 102) return lc - 97 + 10;
	return -1;
}
function escapedHexLen(c) {
	if (c === 120) return 2;
	if (c === 117) return 4;
	if (c === 85) return 8;
	return 0;
}
function isSimpleEscape(c) {
	return c === 48 || c === 97 || c === 98 || c === 116 || c === 9 || c === 110 || c === 118 || c === 102 || c === 114 || c === 101 || c === 32 || c === 34 || c === 47 || c === 92 || c === 78 || c === 95 || c === 76 || c === 80;
}
function consumeLineBreak(state) {
	if (state.input.charCodeAt(state.position) === 10) state.position++;
	else {
		state.position++;
		if (state.input.charCodeAt(state.position) === 10) state.position++;
	}
	state.line++;
	state.lineStart = state.position;
	state.lineIndent = 0;
	state.firstTabInLine = -1;
}
function skipSeparationSpace(state, allowComments) {
	let lineBreaks = 0;
	let ch = state.input.charCodeAt(state.position);
	let hasSeparation = state.position === state.lineStart || isWsOrEol(state.input.charCodeAt(state.position - 1));
	while (ch !== 0) {
		while (isWhiteSpace(ch)) {
			hasSeparation = true;
			if (ch === 9 && state.firstTabInLine === -1) state.firstTabInLine = state.position;
			ch = state.input.charCodeAt(++state.position);
		}
		if (allowComments && hasSeparation && ch === 35) do
			ch = state.input.charCodeAt(++state.position);
		while (!isEol(ch) && ch !== 0);
		if (!isEol(ch)) break;
		consumeLineBreak(state);
		lineBreaks++;
		hasSeparation = true;
		ch = state.input.charCodeAt(state.position);
		while (ch === 32) {
			state.lineIndent++;
			ch = state.input.charCodeAt(++state.position);
		}
	}
	return lineBreaks;
}
function testDocumentSeparator(state, position = state.position) {
	const ch = state.input.charCodeAt(position);
	if ((ch === 45 || ch === 46) && ch === state.input.charCodeAt(position + 1) && ch === state.input.charCodeAt(position + 2)) {
		const following = state.input.charCodeAt(position + 3);
		return following === 0 || isWsOrEol(following);
	}
	return false;
}
function skipByteOrderMark(state) {
	if (state.position === state.lineStart && state.input.charCodeAt(state.position) === 65279) {
		state.position++;
		state.lineStart = state.position;
	}
}
function testDocumentBoundary(state) {
	if (state.position !== state.lineStart) return false;
	if (testDocumentSeparator(state)) return true;
	if (state.input.charCodeAt(state.position) !== 65279) return false;
	const snapshot = snapshotState(state);
	skipByteOrderMark(state);
	skipSeparationSpace(state, true);
	const ch = state.input.charCodeAt(state.position);
	const result = state.position === state.lineStart && (ch === 37 || ch === 45 && testDocumentSeparator(state));
	restoreState(state, snapshot);
	return result;
}
function skipUntilLineEnd(state) {
	let ch = state.input.charCodeAt(state.position);
	while (ch !== 0 && !isEol(ch)) ch = state.input.charCodeAt(++state.position);
}
function checkPrintable(state, start, end) {
	const match = PATTERN_NON_PRINTABLE.exec(state.input.slice(start, end));
	if (match !== null) {
		state.position = start + match.index + match[0].length - 1;
		throwError(state, "the stream contains non-printable characters");
	}
}
function readTagProperty(state, props, inFlow) {
	if (state.input.charCodeAt(state.position) !== 33) return false;
	if (props.tagStart !== NO_RANGE$1) throwError(state, "duplication of a tag property");
	const start = state.position;
	let isVerbatim = false;
	let isNamed = false;
	let tagHandle = "!";
	let ch = state.input.charCodeAt(++state.position);
	if (ch === 60) {
		isVerbatim = true;
		ch = state.input.charCodeAt(++state.position);
	} else if (ch === 33) {
		isNamed = true;
		tagHandle = "!!";
		ch = state.input.charCodeAt(++state.position);
	}
	let suffixStart = state.position;
	let tagName;
	if (isVerbatim) {
		while (ch !== 0 && ch !== 62) ch = state.input.charCodeAt(++state.position);
		if (ch !== 62) throwError(state, "unexpected end of the stream within a verbatim tag");
		tagName = state.input.slice(suffixStart, state.position);
		state.position++;
	} else {
		while (ch !== 0 && !isWsOrEol(ch) && !(inFlow && isFlowIndicator(ch))) {
			if (ch === 33) {
				if (!isNamed) {
					tagHandle = state.input.slice(suffixStart - 1, state.position + 1);
					if (!PATTERN_TAG_HANDLE.test(tagHandle)) throwError(state, "named tag handle cannot contain such characters");
					isNamed = true;
					suffixStart = state.position + 1;
				} else throwError(state, "tag suffix cannot contain exclamation marks");
			}
			ch = state.input.charCodeAt(++state.position);
		}
		tagName = state.input.slice(suffixStart, state.position);
		if (PATTERN_FLOW_INDICATORS.test(tagName)) throwError(state, "tag suffix cannot contain flow indicator characters");
	}
	if (tagName && !(isVerbatim ? PATTERN_TAG_URI.test(tagName) : PATTERN_TAG_SUFFIX.test(tagName))) throwError(state, `tag name cannot contain such characters: ${tagName}`);
	if (!isVerbatim && tagHandle !== "!" && tagHandle !== "!!" && !HAS_OWN.call(state.tagHandlers, tagHandle)) throwError(state, `undeclared tag handle "${tagHandle}"`);
	props.tagStart = start;
	props.tagEnd = state.position;
	return true;
}
function readAnchorProperty(state, props) {
	if (state.input.charCodeAt(state.position) !== 38) return false;
	if (props.anchorStart !== NO_RANGE$1) throwError(state, "duplication of an anchor property");
	state.position++;
	const start = state.position;
	while (state.input.charCodeAt(state.position) !== 0 && !isWsOrEol(state.input.charCodeAt(state.position)) && !isFlowIndicator(state.input.charCodeAt(state.position))) state.position++;
	if (state.position === start) throwError(state, "name of an anchor node must contain at least one character");
	props.anchorStart = start;
	props.anchorEnd = state.position;
	return true;
}
function readAlias(state, props) {
	if (state.input.charCodeAt(state.position) !== 42) return false;
	if (props.anchorStart !== NO_RANGE$1 || props.tagStart !== NO_RANGE$1) throwError(state, "alias node should not have any properties");
	state.position++;
	const start = state.position;
	while (state.input.charCodeAt(state.position) !== 0 && !isWsOrEol(state.input.charCodeAt(state.position)) && !isFlowIndicator(state.input.charCodeAt(state.position))) state.position++;
	if (state.position === start) throwError(state, "name of an alias node must contain at least one character");
	addAliasEvent(state, start, state.position);
	return true;
}
function readFlowScalarBreak(state, nodeIndent) {
	skipSeparationSpace(state, false);
	if (state.lineIndent < nodeIndent) throwError(state, "deficient indentation");
}
function readSingleQuotedScalar(state, nodeIndent, props) {
	if (state.input.charCodeAt(state.position) !== 39) return false;
	state.position++;
	const start = state.position;
	let simple = true;
	while (state.input.charCodeAt(state.position) !== 0) {
		const ch = state.input.charCodeAt(state.position);
		if (ch === 39) {
			if (state.input.charCodeAt(state.position + 1) === 39) {
				simple = false;
				state.position += 2;
				continue;
			}
			const end = state.position;
			state.position++;
			addScalarEvent(state, start, end, props.anchorStart, props.anchorEnd, props.tagStart, props.tagEnd, SCALAR_STYLE.SINGLE_QUOTED, CHOMPING_MODE.CLIP, -1, simple);
			return true;
		}
		if (isEol(ch)) {
			simple = false;
			readFlowScalarBreak(state, nodeIndent);
		} else if (state.position === state.lineStart && testDocumentSeparator(state)) throwError(state, "unexpected end of the document within a single quoted scalar");
		else if (ch !== 9 && ch < 32) throwError(state, "expected valid JSON character");
		else state.position++;
	}
	throwError(state, "unexpected end of the stream within a single quoted scalar");
}
function readDoubleQuotedScalar(state, nodeIndent, props) {
	if (state.input.charCodeAt(state.position) !== 34) return false;
	state.position++;
	const start = state.position;
	let simple = true;
	while (state.input.charCodeAt(state.position) !== 0) {
		const ch = state.input.charCodeAt(state.position);
		if (ch === 34) {
			const end = state.position;
			state.position++;
			addScalarEvent(state, start, end, props.anchorStart, props.anchorEnd, props.tagStart, props.tagEnd, SCALAR_STYLE.DOUBLE_QUOTED, CHOMPING_MODE.CLIP, -1, simple);
			return true;
		}
		if (ch === 92) {
			simple = false;
			const escaped = state.input.charCodeAt(++state.position);
			if (isEol(escaped)) readFlowScalarBreak(state, nodeIndent);
			else if (isSimpleEscape(escaped)) state.position++;
			else {
				let hexLength = escapedHexLen(escaped);
				if (hexLength === 0) throwError(state, "unknown escape sequence");
				while (hexLength-- > 0) {
					state.position++;
					if (fromHexCode(state.input.charCodeAt(state.position)) < 0) throwError(state, "expected hexadecimal character");
				}
				state.position++;
			}
		} else if (isEol(ch)) {
			simple = false;
			readFlowScalarBreak(state, nodeIndent);
		} else if (state.position === state.lineStart && testDocumentSeparator(state)) throwError(state, "unexpected end of the document within a double quoted scalar");
		else if (ch !== 9 && ch < 32) throwError(state, "expected valid JSON character");
		else state.position++;
	}
	throwError(state, "unexpected end of the stream within a double quoted scalar");
}
function readBlockScalar(state, parentIndent, props) {
	const ch = state.input.charCodeAt(state.position);
	let chomping = CHOMPING_MODE.CLIP;
	let indent = -1;
	let detectedIndent = false;
	if (ch !== 124 && ch !== 62) return false;
	const style = ch === 124 ? SCALAR_STYLE.LITERAL_BLOCK : SCALAR_STYLE.FOLDED_BLOCK;
	state.position++;
	while (state.input.charCodeAt(state.position) !== 0) {
		const current = state.input.charCodeAt(state.position);
		const digit = fromDecimalCode(current);
		if (current === 43 || current === 45) {
			if (chomping !== CHOMPING_MODE.CLIP) throwError(state, "repeat of a chomping mode identifier");
			chomping = current === 43 ? CHOMPING_MODE.KEEP : CHOMPING_MODE.STRIP;
			state.position++;
		} else if (digit >= 0) {
			if (digit === 0) throwError(state, "bad explicit indentation width of a block scalar; it cannot be less than one");
			if (detectedIndent) throwError(state, "repeat of an indentation width identifier");
			indent = parentIndent + digit - 1;
			detectedIndent = true;
			state.position++;
		} else break;
	}
	let hadWhitespace = false;
	while (isWhiteSpace(state.input.charCodeAt(state.position))) {
		hadWhitespace = true;
		state.position++;
	}
	if (hadWhitespace && state.input.charCodeAt(state.position) === 35) skipUntilLineEnd(state);
	if (isEol(state.input.charCodeAt(state.position))) consumeLineBreak(state);
	else if (state.input.charCodeAt(state.position) !== 0) throwError(state, "a line break is expected");
	let contentIndent = detectedIndent ? indent : -1;
	let maxLeadingIndent = 0;
	const valueStart = state.position;
	let valueEnd = state.position;
	while (state.input.charCodeAt(state.position) !== 0) {
		const linePosition = state.position;
		let column = 0;
		while (state.input.charCodeAt(linePosition + column) === 32) column++;
		const first = state.input.charCodeAt(linePosition + column);
		if (first === 0) {
			if (contentIndent >= 0) {
				if (column > contentIndent) valueEnd = linePosition + column;
			} else if (column > 0) valueEnd = linePosition + column;
			break;
		}
		if (testDocumentBoundary(state)) break;
		if (!detectedIndent && contentIndent === -1 && isEol(first)) maxLeadingIndent = Math.max(maxLeadingIndent, column);
		if (!detectedIndent && contentIndent === -1 && !isEol(first)) {
			if (first === 9 && column < parentIndent) {
				state.position = linePosition + column;
				throwError(state, "tab characters must not be used in indentation");
			}
			if (column >= parentIndent && column < maxLeadingIndent) {
				state.position = linePosition + column;
				throwError(state, "bad indentation of a mapping entry");
			}
		}
		if (contentIndent === -1 && first !== 0 && !isEol(first) && column < parentIndent) {
			state.lineIndent = column;
			state.position = linePosition + column;
			break;
		}
		if (!detectedIndent && first !== 0 && !isEol(first) && contentIndent === -1) contentIndent = column;
		const requiredIndent = contentIndent === -1 ? parentIndent + 1 : contentIndent;
		if (first !== 0 && !isEol(first) && column < requiredIndent) {
			state.lineIndent = column;
			state.position = linePosition + column;
			break;
		}
		skipUntilLineEnd(state);
		valueEnd = state.position;
		if (isEol(state.input.charCodeAt(state.position))) {
			consumeLineBreak(state);
			valueEnd = state.position;
		}
	}
	checkPrintable(state, valueStart, valueEnd);
	addScalarEvent(state, valueStart, valueEnd, props.anchorStart, props.anchorEnd, props.tagStart, props.tagEnd, style, chomping, contentIndent);
	return true;
}
function canStartPlainScalar(state, nodeContext) {
	const ch = state.input.charCodeAt(state.position);
	const inFlow = nodeContext === CONTEXT_FLOW_IN;
	if (ch === 0 || isWsOrEol(ch) || ch === 35 || ch === 38 || ch === 42 || ch === 33 || ch === 124 || ch === 62 || ch === 39 || ch === 34 || ch === 37 || ch === 64 || ch === 96 || isFlowIndicator(ch)) return false;
	if (ch === 63 || ch === 45) {
		const following = state.input.charCodeAt(state.position + 1);
		if (isWsOrEolOrEnd(following) || inFlow && isFlowIndicator(following)) return false;
	}
	return true;
}
function readPlainScalar(state, nodeIndent, nodeContext, props) {
	if (!canStartPlainScalar(state, nodeContext)) return false;
	const start = state.position;
	let end = state.position;
	let ch = state.input.charCodeAt(state.position);
	const inFlow = nodeContext === CONTEXT_FLOW_IN;
	let multiline = false;
	while (ch !== 0) {
		if (testDocumentBoundary(state)) break;
		if (ch === 58) {
			const following = state.input.charCodeAt(state.position + 1);
			if (isWsOrEolOrEnd(following) || inFlow && isFlowIndicator(following)) break;
		} else if (ch === 35) {
			if (isWsOrEol(state.input.charCodeAt(state.position - 1))) break;
		} else if (inFlow && isFlowIndicator(ch)) break;
		else if (isEol(ch)) {
			const savedPosition = state.position;
			const savedLine = state.line;
			const savedLineStart = state.lineStart;
			const savedLineIndent = state.lineIndent;
			skipSeparationSpace(state, false);
			if (state.lineIndent >= nodeIndent) {
				multiline = true;
				ch = state.input.charCodeAt(state.position);
				continue;
			}
			state.position = savedPosition;
			state.line = savedLine;
			state.lineStart = savedLineStart;
			state.lineIndent = savedLineIndent;
			break;
		}
		if (!isWhiteSpace(ch)) end = state.position + 1;
		ch = state.input.charCodeAt(++state.position);
	}
	if (end === start) return false;
	checkPrintable(state, start, end);
	addScalarEvent(state, start, end, props.anchorStart, props.anchorEnd, props.tagStart, props.tagEnd, SCALAR_STYLE.PLAIN, CHOMPING_MODE.CLIP, -1, !multiline);
	return true;
}
function skipFlowSeparationSpace(state, nodeIndent) {
	const startLine = state.line;
	skipSeparationSpace(state, true);
	if (state.line > startLine && state.lineIndent < nodeIndent || state.firstTabInLine !== -1 && state.lineIndent < nodeIndent) throwError(state, "deficient indentation");
}
function readFlowCollection(state, nodeIndent, props) {
	const ch = state.input.charCodeAt(state.position);
	const isMapping = ch === 123;
	const start = state.position;
	let readNext = true;
	if (ch !== 91 && ch !== 123) return false;
	const terminator = isMapping ? 125 : 93;
	if (isMapping) addMappingEvent(state, start, props.anchorStart, props.anchorEnd, props.tagStart, props.tagEnd, COLLECTION_STYLE.FLOW);
	else addSequenceEvent(state, start, props.anchorStart, props.anchorEnd, props.tagStart, props.tagEnd, COLLECTION_STYLE.FLOW);
	state.position++;
	while (state.input.charCodeAt(state.position) !== 0) {
		skipFlowSeparationSpace(state, nodeIndent);
		let ch = state.input.charCodeAt(state.position);
		if (ch === terminator) {
			state.position++;
			addPopEvent(state);
			return true;
		} else if (!readNext) throwError(state, "missed comma between flow collection entries");
		else if (ch === 44) throwError(state, "expected the node content, but found ','");
		let isPair = false;
		let isExplicitPair = false;
		if (ch === 63 && isWsOrEol(state.input.charCodeAt(state.position + 1))) {
			isPair = isExplicitPair = true;
			state.position += 1;
			skipFlowSeparationSpace(state, nodeIndent);
		}
		const entryLine = state.line;
		const entryStart = snapshotState(state);
		const keyWasRead = parseNode(state, nodeIndent, CONTEXT_FLOW_IN, false, true);
		skipFlowSeparationSpace(state, nodeIndent);
		ch = state.input.charCodeAt(state.position);
		if ((isMapping || isExplicitPair || state.line === entryLine) && ch === 58) {
			isPair = true;
			state.position++;
			skipFlowSeparationSpace(state, nodeIndent);
			if (!isMapping) {
				insertFlowPairMappingEvent(state, entryStart);
				if (!keyWasRead) addEmptyScalarEvent(state);
			} else if (!keyWasRead) addEmptyScalarEvent(state);
			if (!parseNode(state, nodeIndent, CONTEXT_FLOW_IN, false, true)) addEmptyScalarEvent(state);
			skipFlowSeparationSpace(state, nodeIndent);
			if (!isMapping) addPopEvent(state);
		} else if (isMapping && isPair) {
			if (!keyWasRead) addEmptyScalarEvent(state);
			addEmptyScalarEvent(state);
		} else if (isMapping) addEmptyScalarEvent(state);
		else if (isPair) {
			insertFlowPairMappingEvent(state, entryStart);
			if (!keyWasRead) addEmptyScalarEvent(state);
			addEmptyScalarEvent(state);
			addPopEvent(state);
		}
		ch = state.input.charCodeAt(state.position);
		if (ch === 44) {
			readNext = true;
			state.position++;
		} else readNext = false;
	}
	throwError(state, "unexpected end of the stream within a flow collection");
}
function readBlockSequence(state, nodeIndent, props) {
	if (state.firstTabInLine !== -1 || state.input.charCodeAt(state.position) !== 45 || !isWsOrEolOrEnd(state.input.charCodeAt(state.position + 1))) return false;
	addSequenceEvent(state, state.position, props.anchorStart, props.anchorEnd, props.tagStart, props.tagEnd, COLLECTION_STYLE.BLOCK);
	while (state.input.charCodeAt(state.position) === 45 && isWsOrEolOrEnd(state.input.charCodeAt(state.position + 1))) {
		if (state.firstTabInLine !== -1) {
			state.position = state.firstTabInLine;
			throwError(state, "tab characters must not be used in indentation");
		}
		const entryLine = state.line;
		state.position++;
		const hadBreak = skipSeparationSpace(state, true) > 0;
		if (state.firstTabInLine !== -1 && state.input.charCodeAt(state.position) === 45 && isWsOrEolOrEnd(state.input.charCodeAt(state.position + 1))) throwError(state, "bad indentation of a sequence entry");
		if (hadBreak && state.lineIndent <= nodeIndent) addEmptyScalarEvent(state);
		else parseNode(state, nodeIndent, CONTEXT_BLOCK_IN, false, true);
		skipSeparationSpace(state, true);
		if (state.lineIndent < nodeIndent || state.position >= state.length) break;
		if (state.lineIndent > nodeIndent) throwError(state, "bad indentation of a sequence entry");
		if (state.line === entryLine && state.input.charCodeAt(state.position) === 45 && isWsOrEolOrEnd(state.input.charCodeAt(state.position + 1))) throwError(state, "bad indentation of a sequence entry");
	}
	addPopEvent(state);
	return true;
}
function readBlockMapping(state, nodeIndent, flowIndent, props) {
	let atExplicitKey = false;
	let detected = false;
	let mappingOpened = false;
	let pendingExplicitKey = false;
	if (state.firstTabInLine !== -1) return false;
	let ch = state.input.charCodeAt(state.position);
	while (ch !== 0) {
		if (!atExplicitKey && state.firstTabInLine !== -1) {
			state.position = state.firstTabInLine;
			throwError(state, "tab characters must not be used in indentation");
		}
		const following = state.input.charCodeAt(state.position + 1);
		const entryLine = state.line;
		if ((ch === 63 || ch === 58) && isWsOrEolOrEnd(following)) {
			if (!mappingOpened) {
				addMappingEvent(state, state.position, props.anchorStart, props.anchorEnd, props.tagStart, props.tagEnd, COLLECTION_STYLE.BLOCK);
				mappingOpened = true;
			}
			if (ch === 63) {
				if (atExplicitKey) addEmptyScalarEvent(state);
				detected = true;
				atExplicitKey = true;
			} else if (atExplicitKey) atExplicitKey = false;
			else {
				addEmptyScalarEvent(state);
				detected = true;
				atExplicitKey = false;
			}
			state.position += 1;
			pendingExplicitKey = true;
		} else {
			if (atExplicitKey) {
				addEmptyScalarEvent(state);
				atExplicitKey = false;
			}
			const beforeKey = snapshotState(state);
			if (!parseNode(state, flowIndent, CONTEXT_FLOW_OUT, false, true)) break;
			if (state.line === entryLine) {
				ch = state.input.charCodeAt(state.position);
				while (isWhiteSpace(ch)) ch = state.input.charCodeAt(++state.position);
				if (ch === 58) {
					ch = state.input.charCodeAt(++state.position);
					if (!isWsOrEolOrEnd(ch)) throwError(state, "a whitespace character is expected after the key-value separator within a block mapping");
					if (!mappingOpened) {
						state.events.splice(beforeKey.eventsLength, 0, {
							type: EVENT_ID.MAPPING,
							start: beforeKey.position,
							anchorStart: props.anchorStart,
							anchorEnd: props.anchorEnd,
							tagStart: props.tagStart,
							tagEnd: props.tagEnd,
							style: COLLECTION_STYLE.BLOCK
						});
						mappingOpened = true;
					}
					detected = true;
					atExplicitKey = false;
					pendingExplicitKey = false;
				} else if (detected) throwError(state, "expected ':' after a mapping key");
				else {
					if (props.anchorStart !== NO_RANGE$1 || props.tagStart !== NO_RANGE$1) {
						restoreState(state, beforeKey);
						return false;
					}
					return true;
				}
			} else if (detected) throwError(state, "can not read a block mapping entry; a multiline key may not be an implicit key");
			else {
				if (props.anchorStart !== NO_RANGE$1 || props.tagStart !== NO_RANGE$1) {
					restoreState(state, beforeKey);
					return false;
				}
				return true;
			}
		}
		if (parseNode(state, nodeIndent, CONTEXT_BLOCK_OUT, true, pendingExplicitKey)) pendingExplicitKey = false;
		if (!atExplicitKey) {
			if (pendingExplicitKey) {
				addEmptyScalarEvent(state);
				pendingExplicitKey = false;
			}
		}
		skipSeparationSpace(state, true);
		ch = state.input.charCodeAt(state.position);
		if ((state.line === entryLine || state.lineIndent > nodeIndent) && ch !== 0) throwError(state, "bad indentation of a mapping entry");
		else if (state.lineIndent < nodeIndent) break;
	}
	if (!detected) return false;
	if (atExplicitKey) addEmptyScalarEvent(state);
	if (mappingOpened) addPopEvent(state);
	return true;
}
function parseNode(state, parentIndent, nodeContext, allowToSeek, allowCompact, allowPropertyMapping = true) {
	if (state.depth >= state.maxDepth) throwError(state, `nesting exceeded maxDepth (${state.maxDepth})`);
	state.depth++;
	let indentStatus = 1;
	let atNewLine = false;
	let hasContent = false;
	let propertyStart = null;
	const props = emptyProperties();
	let allowBlockScalars = nodeContext === CONTEXT_BLOCK_OUT || nodeContext === CONTEXT_BLOCK_IN;
	let allowBlockCollections = allowBlockScalars;
	const allowBlockStyles = allowBlockScalars;
	if (allowToSeek && skipSeparationSpace(state, true)) {
		atNewLine = true;
		if (state.lineIndent > parentIndent) indentStatus = 1;
		else if (state.lineIndent === parentIndent) indentStatus = 0;
		else indentStatus = -1;
	}
	if (indentStatus === 1) while (true) {
		const ch = state.input.charCodeAt(state.position);
		const propertyState = snapshotState(state);
		if (atNewLine && indentStatus !== 1 && (ch === 33 || ch === 38)) break;
		if (atNewLine && allowBlockStyles && (props.tagStart !== NO_RANGE$1 || props.anchorStart !== NO_RANGE$1) && (ch === 33 || ch === 38)) {
			const fallbackState = snapshotState(state);
			const flowIndent = parentIndent + 1;
			if (readBlockMapping(state, state.position - state.lineStart, flowIndent, props) && state.events[fallbackState.eventsLength]?.type === EVENT_ID.MAPPING) {
				state.depth--;
				return true;
			}
			restoreState(state, fallbackState);
		}
		if (atNewLine && (ch === 33 && props.tagStart !== NO_RANGE$1 || ch === 38 && props.anchorStart !== NO_RANGE$1)) break;
		if (!readTagProperty(state, props, nodeContext === CONTEXT_FLOW_IN) && !readAnchorProperty(state, props)) break;
		if (propertyStart === null) propertyStart = propertyState;
		if (skipSeparationSpace(state, true)) {
			atNewLine = true;
			allowBlockCollections = allowBlockStyles;
			if (state.lineIndent > parentIndent) indentStatus = 1;
			else if (state.lineIndent === parentIndent) indentStatus = 0;
			else indentStatus = -1;
		} else allowBlockCollections = false;
	}
	if (allowBlockCollections) allowBlockCollections = atNewLine || allowCompact;
	if (indentStatus === 1 || nodeContext === CONTEXT_BLOCK_OUT) {
		const flowIndent = nodeContext === CONTEXT_FLOW_IN || nodeContext === CONTEXT_FLOW_OUT ? parentIndent : parentIndent + 1;
		const blockIndent = state.position - state.lineStart;
		if (indentStatus === 1) {
			if (allowBlockCollections && (readBlockSequence(state, blockIndent, props) || readBlockMapping(state, blockIndent, flowIndent, props)) || readFlowCollection(state, flowIndent, props)) hasContent = true;
			else {
				const ch = state.input.charCodeAt(state.position);
				if (propertyStart !== null && allowPropertyMapping && allowBlockStyles && !allowBlockCollections && ch !== 124 && ch !== 62) {
					const fallbackState = snapshotState(state);
					const propertyIndent = propertyStart.position - propertyStart.lineStart;
					restoreState(state, propertyStart);
					if (readBlockMapping(state, propertyIndent, flowIndent, emptyProperties()) && state.events[fallbackState.eventsLength]?.type === EVENT_ID.MAPPING) hasContent = true;
					else restoreState(state, fallbackState);
				}
				if (!hasContent && (allowBlockScalars && readBlockScalar(state, flowIndent, props) || readSingleQuotedScalar(state, flowIndent, props) || readDoubleQuotedScalar(state, flowIndent, props) || readAlias(state, props) || readPlainScalar(state, flowIndent, nodeContext, props))) hasContent = true;
			}
		} else if (indentStatus === 0) hasContent = allowBlockCollections && readBlockSequence(state, blockIndent, props);
	}
	allowBlockScalars = allowBlockScalars && !hasContent;
	if (!hasContent && (props.anchorStart !== NO_RANGE$1 || props.tagStart !== NO_RANGE$1 || allowBlockScalars)) {
		addScalarEvent(state, NO_RANGE$1, NO_RANGE$1, props.anchorStart, props.anchorEnd, props.tagStart, props.tagEnd, SCALAR_STYLE.PLAIN);
		hasContent = true;
	}
	state.depth--;
	return hasContent || props.anchorStart !== NO_RANGE$1 || props.tagStart !== NO_RANGE$1;
}
function readDirective(state) {
	if (state.lineIndent > 0 || state.input.charCodeAt(state.position) !== 37) return false;
	state.position++;
	const nameStart = state.position;
	while (state.input.charCodeAt(state.position) !== 0 && !isWsOrEol(state.input.charCodeAt(state.position))) state.position++;
	const name = state.input.slice(nameStart, state.position);
	const args = [];
	if (name.length === 0) throwError(state, "directive name must not be less than one character in length");
	while (state.input.charCodeAt(state.position) !== 0 && !isEol(state.input.charCodeAt(state.position))) {
		while (isWhiteSpace(state.input.charCodeAt(state.position))) state.position++;
		if (state.input.charCodeAt(state.position) === 35 || isEol(state.input.charCodeAt(state.position)) || state.input.charCodeAt(state.position) === 0) break;
		const start = state.position;
		while (state.input.charCodeAt(state.position) !== 0 && !isWsOrEol(state.input.charCodeAt(state.position))) state.position++;
		args.push(state.input.slice(start, state.position));
	}
	if (isEol(state.input.charCodeAt(state.position))) consumeLineBreak(state);
	if (name === "YAML") {
		if (state.directives.some((directive) => directive.kind === "yaml")) throwError(state, "duplication of %YAML directive");
		if (args.length !== 1) throwError(state, "YAML directive accepts exactly one argument");
		const match = /^([0-9]+)\.([0-9]+)$/.exec(args[0]);
		if (match === null) throwError(state, "ill-formed argument of the YAML directive");
		if (parseInt(match[1], 10) !== 1) throwError(state, "unacceptable YAML version of the document");
		state.directives.push({
			kind: "yaml",
			version: args[0]
		});
	} else if (name === "TAG") {
		if (args.length !== 2) throwError(state, "TAG directive accepts exactly two arguments");
		const [handle, prefix] = args;
		if (!PATTERN_TAG_HANDLE.test(handle)) throwError(state, "ill-formed tag handle (first argument) of the TAG directive");
		if (HAS_OWN.call(state.tagHandlers, handle)) throwError(state, `there is a previously declared suffix for "${handle}" tag handle`);
		if (!PATTERN_TAG_PREFIX.test(prefix)) throwError(state, "ill-formed tag prefix (second argument) of the TAG directive");
		state.tagHandlers[handle] = prefix;
		state.directives.push({
			kind: "tag",
			handle,
			prefix
		});
	}
	return true;
}
function readDocument(state) {
	state.directives = [];
	state.tagHandlers = Object.create(null);
	let hasDirectives = false;
	skipSeparationSpace(state, true);
	while (readDirective(state)) {
		hasDirectives = true;
		skipSeparationSpace(state, true);
	}
	let explicitStart = false;
	let explicitEnd = false;
	let allowCompact = true;
	if (state.lineIndent === 0 && state.input.charCodeAt(state.position) === 45 && state.input.charCodeAt(state.position + 1) === 45 && state.input.charCodeAt(state.position + 2) === 45 && isWsOrEolOrEnd(state.input.charCodeAt(state.position + 3))) {
		explicitStart = true;
		const markerLine = state.line;
		state.position += 3;
		skipSeparationSpace(state, true);
		allowCompact = state.line > markerLine;
	} else if (hasDirectives) throwError(state, "directives end mark is expected");
	const documentEventIndex = state.events.length;
	if (!explicitStart && state.position === state.lineStart && state.input.charCodeAt(state.position) === 46 && testDocumentSeparator(state)) {
		state.position += 3;
		skipSeparationSpace(state, true);
		return;
	}
	addDocumentEvent(state, explicitStart, false);
	if (!parseNode(state, state.lineIndent - 1, CONTEXT_BLOCK_OUT, false, allowCompact, allowCompact)) addEmptyScalarEvent(state);
	skipSeparationSpace(state, true);
	if (state.position === state.lineStart && testDocumentSeparator(state)) {
		explicitEnd = state.input.charCodeAt(state.position) === 46;
		if (explicitEnd) {
			const markerLine = state.line;
			state.position += 3;
			skipSeparationSpace(state, true);
			if (state.line === markerLine && state.position < state.length) throwError(state, "end of the stream or a document separator is expected");
		}
	}
	const documentEvent = state.events[documentEventIndex];
	if (documentEvent?.type === EVENT_ID.DOCUMENT) documentEvent.explicitEnd = explicitEnd;
	addPopEvent(state);
	if (!explicitEnd && state.position < state.length && !testDocumentBoundary(state)) throwError(state, "end of the stream or a document separator is expected");
}
function parseEvents(input, options) {
	const length = input.length;
	const state = {
		...DEFAULT_PARSER_OPTIONS,
		...options,
		input: `${input}\0`,
		length,
		position: 0,
		line: 0,
		lineStart: 0,
		lineIndent: 0,
		firstTabInLine: -1,
		depth: 0,
		directives: [],
		tagHandlers: Object.create(null),
		events: []
	};
	const nullpos = input.indexOf("\0");
	if (nullpos !== -1) YAMLException.throwAt(input, nullpos, "null byte is not allowed in input", state.filename);
	while (state.position < state.length) {
		skipByteOrderMark(state);
		skipSeparationSpace(state, true);
		if (state.position >= state.length) break;
		const documentStart = state.position;
		readDocument(state);
		if (state.position === documentStart) throwError(state, "can not read a document");
	}
	return state.events;
}
var DEFAULT_LOAD_OPTIONS = {
	...DEFAULT_PARSER_OPTIONS,
	...DEFAULT_CONSTRUCTOR_OPTIONS
};
function loadDocuments(input, options = {}) {
	const opts = {
		...DEFAULT_LOAD_OPTIONS,
		...options
	};
	const source = String(input);
	const PARSER_OPT_KEYS = Object.keys(DEFAULT_PARSER_OPTIONS);
	const CONSTRUCTOR_OPT_KEYS = Object.keys(DEFAULT_CONSTRUCTOR_OPTIONS);
	return constructFromEvents(parseEvents(source, js_yaml_pick(opts, PARSER_OPT_KEYS)), {
		...js_yaml_pick(opts, CONSTRUCTOR_OPT_KEYS),
		source
	});
}
function load(input, options) {
	const documents = loadDocuments(input, options);
	if (documents.length === 0) throw new YAMLException("expected a document, but the input is empty");
	if (documents.length === 1) return documents[0];
	throw new YAMLException("expected a single document in the stream, but found more");
}
function hasBit(mask, bit) {
	return (mask & 1 << bit) !== 0;
}
var DEFAULT_SCALAR_STYLE_RULES = {
	applyQuoteFlowKeysOption,
	doubleQuoteForInvisibles,
	doubleQuoteWhitespaceOnly,
	applyForceQuotesOption,
	tryLongOrMultilineAsBlock,
	quoteInvalidPlain,
	fallbackToDoubleQuoted
};
function _preferredQuotedStyle(layout) {
	if (layout.presenterOptions.quoteStyle === "single" && hasBit(layout.allowedStylesMask, SCALAR_STYLE.SINGLE_QUOTED)) return SCALAR_STYLE.SINGLE_QUOTED;
	return SCALAR_STYLE.DOUBLE_QUOTED;
}
function applyQuoteFlowKeysOption(layout) {
	if (!layout.presenterOptions.quoteFlowKeys) return;
	if (!layout.isKey || !layout.flowOnly || layout.style !== SCALAR_STYLE.PLAIN) return;
	layout.style = SCALAR_STYLE.DOUBLE_QUOTED;
}
function doubleQuoteForInvisibles(layout) {
	if (layout.style === SCALAR_STYLE.PLAIN && /[\t\x7F-\xA0\u2028\u2029\uFEFF\uFFFE\uFFFF]/.test(layout.node.value)) layout.style = SCALAR_STYLE.DOUBLE_QUOTED;
}
function doubleQuoteWhitespaceOnly(layout) {
	if (layout.style === SCALAR_STYLE.PLAIN && /^\s+$/.test(layout.node.value)) layout.style = SCALAR_STYLE.DOUBLE_QUOTED;
}
function applyForceQuotesOption(layout) {
	if (!layout.presenterOptions.forceQuotes) return;
	if (layout.isKey || layout.style !== SCALAR_STYLE.PLAIN) return;
	if (layout.node.tag !== layout.presenterOptions.schema.defaultScalarTag.tagName) return;
	layout.style = layout.node.value.includes("\n") ? SCALAR_STYLE.DOUBLE_QUOTED : _preferredQuotedStyle(layout);
}
function tryLongOrMultilineAsBlock(layout) {
	if (layout.style !== SCALAR_STYLE.PLAIN || layout.isKey) return;
	const value = layout.node.value;
	const multiline = value.indexOf("\n") !== -1;
	if (!hasBit(layout.allowedStylesMask, SCALAR_STYLE.LITERAL_BLOCK)) {
		if (multiline) layout.style = SCALAR_STYLE.DOUBLE_QUOTED;
		return;
	}
	const w = layout.presenterOptions.lineWidth;
	if (w === -1) {
		if (multiline) layout.style = SCALAR_STYLE.LITERAL_BLOCK;
		return;
	}
	const availableWidth = Math.max(Math.min(w, 40), w - layout.shiftOfContent);
	let position = 0;
	let shouldFold = false;
	while (position <= value.length) {
		let lineEnd = value.length;
		const nextLineBreak = value.indexOf("\n", position);
		if (nextLineBreak !== -1) lineEnd = nextLineBreak;
		const line = value.slice(position, lineEnd);
		if (line.length > availableWidth && line[0] !== " " && / [^ \t]/.test(line)) shouldFold = true;
		if (nextLineBreak === -1) break;
		position = nextLineBreak + 1;
	}
	if (shouldFold) layout.style = SCALAR_STYLE.FOLDED_BLOCK;
	else if (multiline) layout.style = SCALAR_STYLE.LITERAL_BLOCK;
}
function quoteInvalidPlain(layout) {
	if (layout.style === SCALAR_STYLE.PLAIN && !hasBit(layout.allowedStylesMask, SCALAR_STYLE.PLAIN)) layout.style = _preferredQuotedStyle(layout);
}
function fallbackToDoubleQuoted(layout) {
	if (!hasBit(layout.allowedStylesMask, layout.style)) layout.style = SCALAR_STYLE.DOUBLE_QUOTED;
}
var SRC_C_PRINTABLE = "[\\x09\\x0A\\x0D\\x20-\\x7E\\x85\\xA0-\\uD7FF\\uE000-\\uFFFD\\u{10000}-\\u{10FFFF}]";
var SRC_B_CHAR = "[\\n\\r]";
var SRC_C_BYTE_ORDER_MARK = "\\uFEFF";
var SRC_S_WHITE = "[ \\t]";
var SRC_NB_CHAR = `(?:(?!(?:${SRC_B_CHAR}|${SRC_C_BYTE_ORDER_MARK}))${SRC_C_PRINTABLE})`;
var SRC_NS_CHAR = `(?:(?!${SRC_S_WHITE})${SRC_NB_CHAR})`;
var SRC_NB_JSON = "[\\x09\\x20-\\uD7FF\\uE000-\\uFFFF\\u{10000}-\\u{10FFFF}]";
var SRC_C_INDICATOR = "[-?:,\\[\\]{}#&*!|>'\"%@`]";
var SRC_C_FLOW_INDICATOR = "[,\\[\\]{}]";
var SRC_NS_PLAIN_SAFE_FLOW_OUT = SRC_NS_CHAR;
var SRC_NS_PLAIN_SAFE_FLOW_IN = `(?:(?!${SRC_C_FLOW_INDICATOR})${SRC_NS_CHAR})`;
var SRC_NS_PLAIN_FIRST_FLOW_OUT = `(?:(?:(?!${SRC_C_INDICATOR})${SRC_NS_CHAR})|[?:-](?=${SRC_NS_PLAIN_SAFE_FLOW_OUT}))`;
var SRC_NS_PLAIN_FIRST_FLOW_IN = `(?:(?:(?!${SRC_C_INDICATOR})${SRC_NS_CHAR})|[?:-](?=${SRC_NS_PLAIN_SAFE_FLOW_IN}))`;
var SRC_NS_PLAIN_CHAR_FLOW_OUT = `(?:(?:(?![:#])${SRC_NS_PLAIN_SAFE_FLOW_OUT})|:(?=${SRC_NS_PLAIN_SAFE_FLOW_OUT}))#*`;
var SRC_NS_PLAIN_CHAR_FLOW_IN = `(?:(?:(?![:#])${SRC_NS_PLAIN_SAFE_FLOW_IN})|:(?=${SRC_NS_PLAIN_SAFE_FLOW_IN}))#*`;
var SRC_NB_NS_PLAIN_IN_LINE_FLOW_OUT = `(?:${SRC_S_WHITE}*${SRC_NS_PLAIN_CHAR_FLOW_OUT})*`;
var SRC_NB_NS_PLAIN_IN_LINE_FLOW_IN = `(?:${SRC_S_WHITE}*${SRC_NS_PLAIN_CHAR_FLOW_IN})*`;
var SRC_NS_PLAIN_ONE_LINE_FLOW_OUT = `${SRC_NS_PLAIN_FIRST_FLOW_OUT}#*${SRC_NB_NS_PLAIN_IN_LINE_FLOW_OUT}`;
var SRC_NS_PLAIN_ONE_LINE_FLOW_IN = `${SRC_NS_PLAIN_FIRST_FLOW_IN}#*${SRC_NB_NS_PLAIN_IN_LINE_FLOW_IN}`;
var SRC_NS_PLAIN_ONE_LINE_BLOCK_KEY = SRC_NS_PLAIN_ONE_LINE_FLOW_OUT;
var SRC_NS_PLAIN_ONE_LINE_FLOW_KEY = SRC_NS_PLAIN_ONE_LINE_FLOW_IN;
var SRC_S_NS_PLAIN_NEXT_LINE_FLOW_OUT = `\\n+${SRC_NS_PLAIN_CHAR_FLOW_OUT}${SRC_NB_NS_PLAIN_IN_LINE_FLOW_OUT}`;
var SRC_S_NS_PLAIN_NEXT_LINE_FLOW_IN = `\\n+${SRC_NS_PLAIN_CHAR_FLOW_IN}${SRC_NB_NS_PLAIN_IN_LINE_FLOW_IN}`;
var SRC_NS_PLAIN_MULTI_LINE_FLOW_OUT = `${SRC_NS_PLAIN_ONE_LINE_FLOW_OUT}(?:${SRC_S_NS_PLAIN_NEXT_LINE_FLOW_OUT})*`;
var SRC_NS_PLAIN_MULTI_LINE_FLOW_IN = `${SRC_NS_PLAIN_ONE_LINE_FLOW_IN}(?:${SRC_S_NS_PLAIN_NEXT_LINE_FLOW_IN})*`;
new RegExp(`^(?:${SRC_NS_PLAIN_MULTI_LINE_FLOW_OUT})$`, "u");
new RegExp(`^(?:${SRC_NS_PLAIN_MULTI_LINE_FLOW_IN})$`, "u");
new RegExp(`^(?:${SRC_NS_PLAIN_ONE_LINE_BLOCK_KEY})$`, "u");
new RegExp(`^(?:${SRC_NS_PLAIN_ONE_LINE_FLOW_KEY})$`, "u");
new RegExp(`^(?:${SRC_NB_JSON})*$`, "u");
new RegExp(`^(?:${SRC_NB_JSON}|\\n)*$`, "u");
new RegExp(`^(?:${SRC_NB_CHAR}|\\n)*$`, "u");
Object.keys(DEFAULT_SCALAR_STYLE_RULES).map((name) => Reflect.get(DEFAULT_SCALAR_STYLE_RULES, name));
const UNCLEAR = /[\u2028\u2029]|\r(?!\n)|(?![\t\r\n])\p{Cc}/u;
const SCHEMA = FAILSAFE_SCHEMA.withTags(defineMappingTag("tag:yaml.org,2002:map", {
	...realMapTag,
	addPair: (map, key, value) => typeof key === "string" && key !== "<<" ? realMapTag.addPair(map, key, value) : "unsupported key"
}));
function readYaml(text) {
	if (UNCLEAR.test(text)) return void 0;
	try {
		return load(text, { schema: SCHEMA });
	} catch {
		return;
	}
}
const TYPED = /^(?:|~|null|true|false|[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:e[-+]?\d+)?|0[ox][\da-f]+|[-+]?\.(?:inf|nan))$/i;
const SAME_SPELLING = /^(?:0|-?[1-9]\d{0,14}|true|false)$/;
const workflow_LONGEST_NAME = 100;
const MOST_JOBS = 256;
const RESULTS = /\bneeds\b[^}]*\bresult\b|\btoJSON\(\s*needs\s*\)/i;
const EXPRESSION = /\$\{\{\s*matrix\.([\w-]+)\s*\}\}/g;
function matrixNames(id, name, matrix) {
	const combinations = matrix === void 0 ? [new Map()] : combinationsOf(matrix);
	if (combinations === void 0) return void 0;
	const names = combinations.map((values) => name === void 0 || !name.includes("${{") ? defaultName(name ?? id, values) : name.replace(EXPRESSION, (all, key) => values.get(key) ?? all));
	return names.every((one) => !one.includes("${{") && (matrix === void 0 || one.length <= workflow_LONGEST_NAME)) ? names : void 0;
}
function defaultName(id, values) {
	return values.size === 0 ? id : `${id} (${[...values.values()].join(", ")})`;
}
function combinationsOf(matrix) {
	if (!(matrix instanceof Map) || matrix.size === 0 || matrix.has("include") || matrix.has("exclude")) return;
	let all = [new Map()];
	for (const [key, values] of matrix) {
		if (!Array.isArray(values) || values.some((value) => typeof value !== "string" || TYPED.test(value) && !SAME_SPELLING.test(value))) return void 0;
		all = all.flatMap((one) => values.map((value) => new Map([...one, [key, value]])));
		if (all.length === 0 || all.length > MOST_JOBS) return void 0;
	}
	return all;
}
const NO_MEMBERS = new Map();
function readWorkflow({ path, text }) {
	const members = workflow_membersOf(readYaml(text) ?? "");
	const jobs = members.get("jobs");
	if (!(jobs instanceof Map)) return void 0;
	return {
		path,
		events: eventsOf(members.get("on")),
		permissions: members.get("permissions"),
		concurrency: members.get("concurrency"),
		jobs: [...jobs].map(([id, job]) => jobOf(id, workflow_membersOf(job)))
	};
}
function eventsOf(on = "") {
	if (typeof on === "string") return new Map(on === "" ? [] : [[on, ""]]);
	return workflow_isList(on) ? new Map(textsOf(on).map((event) => [event, ""])) : on;
}
function jobOf(id, members) {
	const environment = members.get("environment");
	const given = members.get("steps") ?? [];
	const steps = workflow_isList(given) ? given.map(workflow_membersOf) : [];
	const name = textOf(members.get("name"));
	return {
		id,
		names: matrixNames(id, name, workflow_membersOf(members.get("strategy") ?? "").get("matrix")),
		beginning: (name ?? id).replace(/\$\{\{[\s\S]*/, "").slice(0, 97),
		condition: textOf(members.get("if")),
		needs: textsOf(members.get("needs")),
		readsResults: [members, ...steps].flatMap(textsBelow).some((text) => RESULTS.test(text)),
		continueOnError: textOf(members.get("continue-on-error")),
		environment: textOf(environment) ?? textOf(workflow_membersOf(environment ?? "").get("name")),
		permissions: members.get("permissions"),
		concurrency: members.get("concurrency"),
		calls: textOf(members.get("uses")),
		steps: steps.map(stepOf)
	};
}
function stepOf(members) {
	return {
		uses: textOf(members.get("uses")),
		condition: textOf(members.get("if")),
		continueOnError: textOf(members.get("continue-on-error")),
		inputs: new Map([...workflow_membersOf(members.get("with") ?? "")].map(([name, value]) => [name.toLowerCase(), value]))
	};
}
function textsBelow(members) {
	return [...members.values()].flatMap((value) => [...textsOf(value), ...[...workflow_membersOf(value).values()].flatMap(textsOf)]);
}
function workflow_membersOf(value) {
	return typeof value === "string" || workflow_isList(value) ? NO_MEMBERS : value;
}
function textsOf(value = "") {
	if (typeof value === "string") return value === "" ? [] : [value];
	return workflow_isList(value) ? value.filter((one) => typeof one === "string") : [];
}
function textOf(value) {
	return typeof value === "string" && value !== "" ? value : void 0;
}
function workflow_isList(value) {
	return Array.isArray(value);
}
const GATE = /^[\w.-]+\/scangate@/i;
const MENTIONS_GATE = /\buses['"]?\s*:\s*['"]?[\w.-]+\/scangate@/i;
const LOCAL_CALL = /^\.\/(\.github\/workflows\/[^@]+)$/;
const REMOTE_CALL = /^([^/]+\/[^/]+)\/(\.github\/workflows\/[^@]+)@(.+)$/;
const DEEPEST = 10;
const MOST_CHECKS = 2e3;
const MOST_NAMES = 2e3;
function readWorkflows(files) {
	const read = files.map((file) => ({
		file,
		workflow: readWorkflow(file)
	}));
	return {
		readable: read.flatMap(({ workflow }) => workflow ?? []),
		unreadable: read.flatMap(({ file, workflow }) => workflow === void 0 ? file : [])
	};
}
function mentionsGate(text) {
	return MENTIONS_GATE.test(text);
}
function checksOf(workflows, source) {
	const files = {
		byPath: new Map(workflows.map((workflow) => [workflow.path, workflow])),
		source,
		found: { count: 0 }
	};
	return workflows.filter(isStarted).flatMap((workflow) => workflow.jobs.flatMap((job) => checksBelow({
		workflow,
		job
	}, files, DEEPEST)));
}
function checksBelow(place, files, levels) {
	const { names, beginning, calls } = place.job;
	files.found.count += 1;
	const beginnings = names?.map((name) => `${name} / `) ?? [beginning];
	if (calls === void 0) return [{
		chain: [place],
		names,
		beginnings: names ?? [beginning]
	}];
	const called = levels === 0 || files.found.count > MOST_CHECKS ? void 0 : files.byPath.get(pathOfCall(calls, files.source));
	if (called === void 0) return [{
		chain: [place],
		names: void 0,
		beginnings
	}];
	return called.jobs.flatMap((job) => checksBelow({
		workflow: called,
		job
	}, files, levels - 1)).map((check) => ({
		chain: [place, ...check.chain],
		names: joined(names, check.names),
		beginnings: joined(names, check.beginnings) ?? beginnings
	}));
}
function pathOfCall(calls, { repository, branch }) {
	const [, owner = "", path = "", ref = ""] = REMOTE_CALL.exec(calls) ?? [];
	if (owner.toLowerCase() === repository.toLowerCase() && [branch, `refs/heads/${branch}`].includes(ref)) return path;
	return LOCAL_CALL.exec(calls)?.[1] ?? "";
}
function joined(callers, names) {
	if (callers === void 0 || names === void 0) return void 0;
	if (callers.length * names.length > MOST_NAMES) return void 0;
	return callers.flatMap((caller) => names.map((name) => `${caller} / ${name}`));
}
function isStarted({ events }) {
	return [...events.keys()].some((event) => event !== "workflow_call");
}
function gateChecks(checks) {
	return checks.flatMap((check) => {
		const steps = check_jobOf(check).steps.filter(isGate);
		return steps.length === 0 ? [] : [{
			...check,
			steps
		}];
	});
}
function callableGateJobs(workflows) {
	return workflows.filter(({ events }) => events.has("workflow_call")).flatMap(({ jobs }) => jobs.filter(({ steps }) => steps.some(isGate))).flatMap(({ names }) => names ?? []);
}
function isGate({ uses = "" }) {
	return GATE.test(uses);
}
function stepsUsing(workflows, folder) {
	const uses = new RegExp(`^[\\w.-]+/scangate/${folder}@`, "i");
	return workflows.flatMap((workflow) => workflow.jobs.flatMap((job) => job.steps.filter((step) => uses.test(step.uses ?? "")).map((step) => ({
		workflow,
		job,
		step
	}))));
}
function check_eventsOf({ chain }) {
	return chain[0].workflow.events;
}
function check_jobOf({ chain }) {
	return (chain.at(-1) ?? chain[0]).job;
}
function pathOf({ chain }) {
	return (chain.at(-1) ?? chain[0]).workflow.path;
}
function isNamed({ names, beginnings }, name) {
	if (names !== void 0) return names.includes(name);
	return beginnings.some((one) => name.startsWith(one)) ? void 0 : false;
}
function isUnread(check) {
	return check_jobOf(check).calls !== void 0;
}
function githubRows(github, isCommandLine) {
	if (github === void 0) return [{
		...row_warning("Comparison", "GitHub was not asked: there is no token for it.", WORKFLOW, `Give a token for GitHub that may read this repository, ${isCommandLine ? "in the environment variable `GITHUB_TOKEN`" : "as `github-token`"}.`),
		caveat: "unasked"
	}];
	const { defaultBranch, branch, comparison, checkRuns } = github;
	if (!defaultBranch.ok) return [unread("Comparison", defaultBranch.error)];
	if (branch?.ok === false) return [unread("Comparison", branch.error)];
	return [comparisonRow(comparison), checkRunsRow(checkRuns)];
}
const WORKFLOW = "Workflow maintainer";
function comparisonRow(comparison) {
	if (comparison === void 0) return skipped("Comparison", "Not checked: the default branch was not read.");
	if (comparison.ok) return row_ok("Comparison", "GitHub compares commits: merge bases can be found.");
	const fault = comparison.error;
	switch (fault.kind) {
		case "unavailable": return unread("Comparison", fault.error);
		case "stopped": return row_error("Comparison", "The time was over before GitHub compared commits.", WORKFLOW, AGAIN);
		case "no-common-ancestor":
		case "unknown-commit": return row_warning("Comparison", "This commit and the default branch have no common ancestor on GitHub.", WORKFLOW, "Run the doctor on a branch that was made from the default branch.");
	}
}
function checkRunsRow(checkRuns) {
	if (checkRuns === void 0) return skipped("Check runs", "Not checked: the default branch was not read.");
	if (!checkRuns.ok) return unread("Check runs", {
		...checkRuns.error,
		permission: "checks: read"
	});
	return row_ok("Check runs", "Readable. The gate itself needs `checks: write`, which a read cannot prove.");
}
const AGAIN = "Re-run this job.";
function unreadExtra(check, failure) {
	if (lacksPermission(failure) || failure.kind === "not-found") return skipped(check, `Not checked: grant \`${failure.permission}\`.`);
	return {
		...unread(check, failure),
		level: "warning"
	};
}
function unread(check, failure) {
	const who = failure.kind === "unreachable" ? "Admin of the runner" : WORKFLOW;
	return row_error(check, errors_causeOf(failure), who, fixOf(failure) || AGAIN);
}
const STATE_FUNCTION = /\b(?:always|cancelled|failure|success)\s*\(\s*\)/i;
function holds(condition, situation) {
	const text = unwrapped(condition ?? "");
	if (text === "") return situation.succeeded;
	if (text.length > condition_LONGEST) return void 0;
	if (text.includes("${{")) return void 0;
	const truth = truthOf(text, situation, 0);
	const hasStateFunction = STATE_FUNCTION.test(text.replace(/'[^']*'/g, "''"));
	return situation.succeeded || hasStateFunction ? truth : false;
}
function unwrapped(condition) {
	const text = condition.trim();
	const inner = /^\$\{\{([\s\S]*)\}\}$/.exec(text)?.[1];
	return inner === void 0 || inner.includes("${{") ? text : inner.trim();
}
function mayBeTrue(value) {
	return value !== void 0 && unwrapped(value).toLowerCase() !== "false";
}
const condition_DEEPEST = 20;
const condition_LONGEST = 21e3;
function truthOf(given, situation, depth) {
	const text = given.trim();
	if (depth > condition_DEEPEST) return void 0;
	const next = (one) => truthOf(one, situation, depth + 1);
	const either = splitAt(text, "||");
	if (either.length > 1) {
		const values = either.map(next);
		return values.includes(true) ? true : values.includes(void 0) ? void 0 : false;
	}
	const all = splitAt(text, "&&");
	if (all.length > 1) {
		const values = all.map(next);
		return values.includes(false) ? false : values.includes(void 0) ? void 0 : true;
	}
	if (/^!(?!=)/.test(text)) {
		const value = isComparison(text) ? void 0 : next(text.slice(1));
		return value === void 0 ? void 0 : !value;
	}
	if (/^\([\s\S]*\)$/.test(text) && splitAt(text, ")").length === 1) return next(text.slice(1, -1));
	return atomOf(text, situation);
}
function isComparison(text) {
	return [
		"==",
		"!=",
		"<",
		">"
	].some((operator) => splitAt(text, operator).length > 1);
}
function atomOf(text, { event, repository, succeeded }) {
	switch (text.toLowerCase().replace(/\s/g, "")) {
		case "true":
		case "always()": return true;
		case "false":
		case "cancelled()": return false;
		case "success()": return succeeded;
		case "failure()": return succeeded ? false : void 0;
	}
	const [, before = "", operator, after = ""] = /^([\s\S]+?)(==|!=)([\s\S]+)$/.exec(text) ?? [];
	const [left, right] = [before.trim(), after.trim()];
	const [name, word] = left.startsWith("'") ? [right, left] : [left, right];
	const value = /^'([^']*)'$/.exec(word)?.[1]?.toLowerCase();
	const known = knownValue(name.toLowerCase(), event, repository)?.toLowerCase();
	if (value === void 0 || known === void 0) return void 0;
	return known === value === (operator === "==");
}
function knownValue(name, event, repository) {
	switch (name) {
		case "github.event_name": return event;
		case "github.repository": return repository;
		case "github.repository_owner": return repository.split("/")[0];
		default: return;
	}
}
function splitAt(text, separator) {
	const pieces = [];
	let depth = 0;
	let start = 0;
	for (let at = 0; at < text.length; at += 1) {
		const char = text[at];
		if (char === "'") {
			const end = text.indexOf("'", at + 1);
			if (end < 0) return [text];
			at = end;
		} else if (char === "(" || char === "[") depth += 1;
		else if (char === ")" || char === "]") {
			depth -= 1;
			if (separator === ")" && depth === 0 && at < text.length - 1) return [text.slice(0, at), text.slice(at)];
		} else if (depth === 0 && text.startsWith(separator, at)) {
			pieces.push(text.slice(start, at));
			at += separator.length - 1;
			start = at + 1;
		}
	}
	return [...pieces, text.slice(start)];
}
function gapsOf(check, circumstances) {
	const { chain, steps } = check;
	const { job } = chain.at(-1) ?? chain[0];
	return [...gapsOfSteps(steps, job, circumstances), ...chain.flatMap((place) => gapsOfJob(place, circumstances))];
}
function gapsOfSteps(steps, job, { events, repository }) {
	const truths = steps.map(({ condition }) => events.map((event) => holds(condition, {
		event,
		repository,
		succeeded: true
	})));
	const isUnclear = truths.map((ofStep) => ofStep.includes(void 0));
	const left = events.findIndex((_, at) => truths.every((ofStep) => ofStep[at] === false));
	const first = isUnclear.includes(true) ? -1 : truths.findIndex((ofStep) => ofStep[left] === false);
	return steps.flatMap(({ condition = "", continueOnError }, index) => {
		const isGap = isUnclear[index] === true || index === first;
		if (!isGap && truths[index]?.includes(true) !== true) return [];
		return [...mayBeTrue(continueOnError) ? [{
			kind: "continue-on-error",
			of: "step",
			job
		}] : [], ...isGap ? [{
			kind: "step-condition",
			condition
		}] : []];
	});
}
function gapsOfJob(place, circumstances) {
	const { job } = place;
	const { condition } = job;
	const gaps = mayBeTrue(job.continueOnError) ? [{
		kind: "continue-on-error",
		of: "job",
		job
	}] : [];
	const runs = runsAfter(place, circumstances, true);
	if (runs !== true && condition !== void 0) {
		gaps.push({
			kind: "condition",
			job,
			condition,
			surely: runs === false
		});
		if (runs === false) return gaps;
	}
	const needs = job.needs.filter((id) => !holdsBack(place, id, circumstances, new Map()));
	if (needs.length === 0) return gaps;
	const afterFailure = runsAfter(place, circumstances, false);
	if (afterFailure === false) return [...gaps, {
		kind: "needs",
		job,
		needs
	}];
	if (afterFailure === true || runs !== true || condition === void 0) return gaps;
	return [...gaps, {
		kind: "condition",
		job,
		condition,
		surely: false
	}];
}
function holdsBack({ workflow }, id, circumstances, known) {
	const before = known.get(id);
	if (before !== void 0) return before;
	known.set(id, false);
	const job = workflow.jobs.find((one) => one.id === id);
	if (job === void 0) return false;
	const place = {
		workflow,
		job
	};
	if (mayBeTrue(job.continueOnError) || !circumstances.blocks(place)) return false;
	if (runsAfter(place, circumstances, true) !== true) return false;
	const isHeld = job.needs.filter((one) => !holdsBack(place, one, circumstances, known)).length === 0 || runsAfter(place, circumstances, false) === true;
	known.set(id, isHeld);
	return isHeld;
}
function runsAfter({ job }, { events, repository }, succeeded) {
	return worst(events.map((event) => holds(job.condition, {
		event,
		repository,
		succeeded
	})));
}
function worst(truths) {
	if (truths.includes(false)) return false;
	return truths.includes(void 0) ? void 0 : true;
}
function mayRun({ condition }, repository, check) {
	return [...CHANGE_EVENTS, QUEUE_EVENT].filter((event) => check_eventsOf(check).has(event)).some((event) => holds(condition, {
		event,
		repository,
		succeeded: true
	}) !== false);
}
const CHANGE_EVENTS = ["pull_request", "pull_request_target"];
const QUEUE_EVENT = "merge_group";
const TYPES = ["opened", "synchronize"];
function eventsWithoutEdits(check, branch, canStack) {
	return CHANGE_EVENTS.filter((event) => {
		const filters = check_eventsOf(check).get(event);
		if (filters === void 0) return false;
		const [types, branches] = ["types", "branches"].map((name) => textsOf(workflow_membersOf(filters).get(name)));
		const isOneBranch = branches?.length === 1 && branches[0] === branch;
		return types?.includes("edited") === false && (canStack || !isOneBranch);
	});
}
function filtersThatLeaveOut(check, branch, events = CHANGE_EVENTS) {
	return events.flatMap((event) => {
		const filters = workflow_membersOf(check_eventsOf(check).get(event) ?? "");
		const of = (name) => textsOf(filters.get(name));
		const isLeftOut = (name) => {
			const values = of(name);
			if (values.length === 0) return false;
			if (name === "types") return event !== QUEUE_EVENT && TYPES.some((type) => !values.includes(type));
			if (name === "branches") return isAmong(branch, values) === false;
			return name === "branches-ignore" ? isAmong(branch, values) === true : true;
		};
		return [
			"paths",
			"paths-ignore",
			"branches",
			"branches-ignore",
			"types"
		].filter(isLeftOut).map((name) => ({
			event,
			name
		}));
	});
}
function isAmong(branch, patterns) {
	const { patterns: read, slips } = readPathPatterns(patterns.join("\n"));
	return slips.length > 0 ? void 0 : path_patterns_matchesPath(read, branch);
}
const Rules = array(fallback(object({
	type: string(),
	parameters: optional(unknown())
}), { type: "" }));
const StatusChecks = object({ required_status_checks: array(object({
	context: string(),
	integration_id: fallback(nullish(number()), void 0)
})) });
const Workflows = object({ workflows: array(object({
	path: string(),
	repository_id: number(),
	ref: fallback(nullish(string()), void 0),
	sha: fallback(nullish(string()), void 0)
})) });
async function readBranchRules(github, branch) {
	const rules = await github.ask({
		operation: "read the rules of the base branch",
		permission: "metadata: read",
		route: "GET /repos/{owner}/{repo}/rules/branches/{branch}",
		parameters: {
			branch,
			per_page: 100
		},
		answer: Rules
	});
	return rules.ok ? result_ok({
		rules: rules.value.data,
		complete: !rules.value.hasNextPage
	}) : rules;
}
function requiredChecks(rules) {
	return rules.flatMap(({ type, parameters }) => {
		const read = safeParse(StatusChecks, parameters);
		if (type !== "required_status_checks" || !read.success) return [];
		return read.output.required_status_checks.map(({ context, integration_id: id }) => ({
			name: context,
			appId: id ?? void 0
		}));
	});
}
function requiredWorkflows(rules) {
	return rules.flatMap(({ type, parameters }) => {
		const read = safeParse(Workflows, parameters);
		if (type !== "workflows" || !read.success) return [];
		return read.output.workflows.map(({ path, repository_id: repositoryId, ref, sha }) => ({
			path,
			repositoryId,
			ref: sha || ref || void 0
		}));
	});
}
function requireMore(rules) {
	return rules.some(({ type, parameters }) => type === "" || type === "workflows" && !is(Workflows, parameters) || type === "required_status_checks" && !is(StatusChecks, parameters));
}
const operation = "read the merge queue of the base branch";
const permission = "contents: read";
const QUERY = `query($owner: String!, $repo: String!, $branch: String!) {
  repository(owner: $owner, name: $repo) {
    mergeQueue(branch: $branch) { configuration { mergingStrategy } }
  }
}`;
const AllGreen = object({ grouping_strategy: literal("ALLGREEN") });
const QueueAnswer = object({ data: object({ repository: object({ mergeQueue: nullable(object({ configuration: object({ mergingStrategy: picklist(["ALLGREEN", "HEADGREEN"]) }) })) }) }) });
const Refusal = object({ errors: pipe(array(object({
	type: literal("FORBIDDEN"),
	message: optional(string(), "")
})), minLength(1)) });
async function readMergeQueue(github, branch, rules) {
	const grouping = rules.ok && rules.value.complete ? groupingOf(rules.value.rules) : void 0;
	if (grouping !== void 0) return result_ok(grouping);
	const queue = await octokit_read(github, {
		operation,
		permission,
		route: `POST ${github.graphqlUrl}`,
		parameters: {
			query: QUERY,
			variables: {
				owner: github.owner,
				repo: github.repo,
				branch
			}
		},
		answer: union([QueueAnswer, Refusal]),
		repeatable: true
	});
	if (!queue.ok) return queue;
	const answer = queue.value;
	if ("data" in answer) return result_ok(answer.data.repository.mergeQueue?.configuration.mergingStrategy ?? "none");
	const message = errors_messageLine(answer.errors.map((error) => error.message).join("; "));
	return result_err({
		...unusable({
			operation,
			permission
		}, message),
		kind: "forbidden"
	});
}
function groupingOf(rules) {
	const queues = rules.filter(({ type }) => type === "merge_queue");
	if (queues.length === 0) return void 0;
	return queues.every(({ parameters }) => is(AllGreen, parameters)) ? "ALLGREEN" : "HEADGREEN";
}
function gate_gateOf({ defaultBranch, branch, rules, workflows, repository: shown, foreign = [] }, { owner, name }) {
	if (!defaultBranch.ok || !branch?.ok || !rules?.ok || !workflows?.ok) return void 0;
	const repository = `${owner}/${name}`;
	const { requiredChecks: classic, isProtected } = branch.value;
	const required = [...requiredChecks(rules.value.rules), ...classic ?? []];
	const wanted = requiredWorkflows(rules.value.rules);
	const ownPaths = new Set(wanted.filter((one) => !gate_isForeign(one, shown)).map(({ path }) => path));
	const own = readWorkflows(workflows.value.files);
	const others = readWorkflows(foreign.flatMap(({ file }) => file.ok ? [file.value] : []));
	const source = {
		repository,
		branch: defaultBranch.value
	};
	const checks = checksOf(own.readable, source);
	const names = new Set(required.map((one) => one.name));
	const jobs = [...gateChecks(checks).map((check) => ({
		check,
		required: check.names?.filter((one) => names.has(one)) ?? [],
		byRule: ownPaths.has(check.chain[0].workflow.path)
	})), ...gateChecks(checksOf(others.readable, source)).map((check) => ({
		check,
		required: [],
		byRule: true
	}))];
	return {
		branch: defaultBranch.value,
		repository,
		required,
		isWhole: rules.value.complete && workflows.value.complete && own.unreadable.length === 0 && foreign.every(({ file }) => file.ok) && !requireMore(rules.value.rules) && !(classic === void 0 && isProtected),
		hasAllFiles: workflows.value.complete,
		workflows: own.readable,
		unclear: [...own.unreadable, ...others.unreadable].filter(({ text }) => mentionsGate(text)).map(({ path }) => path),
		unread: own.unreadable.map(({ path }) => path),
		callable: callableGateJobs(own.readable),
		checks,
		jobs: jobs.filter(({ check }) => [...CHANGE_EVENTS, QUEUE_EVENT].some((event) => check_eventsOf(check).has(event)))
	};
}
function gate_isForeign({ repositoryId, ref }, shown) {
	if (shown === void 0 || repositoryId !== shown.id) return true;
	return ![
		void 0,
		shown.defaultBranch,
		`refs/heads/${shown.defaultBranch}`
	].includes(ref);
}
function isRequired({ required, byRule }) {
	return byRule || required.length > 0;
}
function decidingJobs({ jobs }) {
	const required = jobs.filter(isRequired);
	return required.length > 0 ? required : jobs;
}
function requiredJobNames(gate) {
	return [...new Set(decidingJobs(gate).flatMap(({ required }) => required))];
}
function blocks({ required, checks }, { byRule, check }, place) {
	if (byRule && place.workflow.path === check.chain[0].workflow.path) return true;
	const names = new Set(required.map(({ name }) => name));
	return checks.some((one) => one.chain[0].workflow === check.chain[0].workflow && (one.chain.at(-1) ?? one.chain[0]).job === place.job && one.names?.every((name) => names.has(name)) === true);
}
function nameOf({ check, required }) {
	const job = (check.chain.at(-1) ?? check.chain[0]).job;
	return required[0] ?? check.names?.[0] ?? job.id;
}
const CHECK = "Expected source";
const ADMIN = "Repository admin on GitHub";
const ACTIONS_APP_ID = 15368;
function sourceRows(gate, { jobApps }, serverUrl) {
	return requiredJobNames(gate).map((name) => {
		const expected = expectedApps(gate, name);
		if (expected.length === 0) return anySourceRow(gate, name);
		const read = jobApps?.get(name);
		if (read?.ok === false) return unreadExtra(CHECK, read.error);
		const actions = isGitHubCom(serverUrl) ? ACTIONS_APP_ID : read?.value;
		if (actions === void 0) return skipped(CHECK, `Not checked: no run has shown which app reports ${code(name)}.`);
		const other = expected.find((id) => id !== actions);
		if (other === void 0) return row_ok(CHECK, `${code(name)} has to come from GitHub Actions.`);
		const text = `${code(gate.branch)} expects ${code(name)} from the app ${other}. The job reports as GitHub Actions, so it never satisfies this.`;
		return row_error(CHECK, text, ADMIN, `Choose GitHub Actions as the source of the required check ${code(name)}.`);
	});
}
function anySourceRow({ branch }, name) {
	const text = `${code(branch)} takes ${code(name)} from any source, so every user who may write statuses can satisfy it.`;
	const fix = `Choose GitHub Actions as the source of the required check ${code(name)} (Settings \u2192 Rules \u2192 Rulesets).`;
	return row_warning(CHECK, text, ADMIN, fix);
}
function checksOfUnknownApp(gate, checkName, serverUrl) {
	const jobs = isGitHubCom(serverUrl) ? [] : requiredJobNames(gate);
	return (jobs.length === 0 ? [...jobs, checkName] : jobs).filter((name) => expectedApps(gate, name).length > 0).flatMap((name) => {
		const deciding = decidingJobs(gate);
		const check = (deciding.find(({ required }) => required.includes(name)) ?? deciding[0])?.check;
		const event = CHANGE_EVENTS.find((one) => check !== void 0 && check_eventsOf(check).has(one));
		return check === void 0 || event === void 0 ? [] : [{
			name,
			path: check.chain[0].workflow.path,
			event
		}];
	});
}
function expectedApps({ required }, name) {
	return required.flatMap((one) => one.name === name ? one.appId ?? [] : []);
}
function isGitHubCom(serverUrl) {
	return serverUrl === "https://github.com";
}
const TARGET = "pull_request_target";
const fork_rows_ADMIN = "Repository admin on GitHub";
const RECENT_DAYS = 14;
function forkRows(gate, github, serverUrl) {
	return [...mayBeBlocked(gate, github, serverUrl) ? [policyRow(github)] : [], ...environmentsOf(gate).map((name) => environmentRow(name, github))];
}
function mayBeBlocked(gate, { repository }, serverUrl) {
	return repository?.isPublic === true && isGitHubCom(serverUrl) && targetJobs(gate).length > 0;
}
function targetWorkflow(gate) {
	return targetJobs(gate)[0]?.check.chain[0].workflow.path;
}
function environmentsOf(gate) {
	const waiting = targetJobs(gate).filter(({ check }) => check.steps.some(({ inputs }) => textOf(inputs.get("scan-forks"))?.trim().toLowerCase() === "all"));
	return [...new Set(waiting.flatMap(({ check }) => namesIn(check_jobOf(check).environment ?? "")))];
}
function targetJobs({ jobs }) {
	return jobs.filter(({ check }) => check_eventsOf(check).has(TARGET));
}
function namesIn(environment) {
	if (!environment.includes("${{")) return environment === "" ? [] : [environment];
	return [...environment.matchAll(/(?:&&|\|\|)\s*'([^']+)'/g)].map(([, name = ""]) => name);
}
function policyRow({ targetRuns }) {
	const check = "Event policy";
	const blocks = `By default, GitHub blocks \`${TARGET}\` in public repositories.`;
	const fix = `Allow \`${TARGET}\` for this workflow under Settings \u2192 Actions \u2192 Policies, as ${docsPage("forks")} shows.`;
	if (targetRuns?.ok === true && targetRuns.value) return row_ok(check, `The gate has run on \`${TARGET}\` in the last ${RECENT_DAYS} days.`);
	if (targetRuns?.ok !== false) return row_warning(check, `${blocks} No run of the gate began in the last ${RECENT_DAYS} days.`, fork_rows_ADMIN, fix);
	return row_warning(check, `${blocks} It is unknown whether a policy allows it. ${errors_causeOf(targetRuns.error)}`, fork_rows_ADMIN, `${fix} To have it checked, grant \`${targetRuns.error.permission}\`.`);
}
function environmentRow(name, { environments }) {
	const check = "Environment";
	const read = environments?.get(name);
	if (read === void 0) return skipped(check, "Not checked: it was not read.");
	if (!read.ok) return unreadExtra(check, read.error);
	if (read.value?.hasReviewers === true) return row_ok(check, `${code(name)} has required reviewers.`);
	const what = read.value === void 0 ? "does not exist" : "has no required reviewers";
	return row_warning(check, `The environment ${code(name)} ${what}, so every fork is scanned without an approval and spends credits.`, fork_rows_ADMIN, `Add required reviewers (Settings \u2192 Environments), as ${docsPage("forks")} shows.`);
}
const job_rows_CHECK = "Gate job";
const MAINTAINER = "Workflow maintainer";
const SKIPPED = "GitHub counts a skipped job as passed.";
function gateJobRows(gate, serverUrl) {
	const unclear = gate.unclear.map((path) => unclearRow(path));
	const jobs = decidingJobs(gate);
	if (jobs.length === 0) return unclear;
	const problems = jobs.flatMap((job) => [...gapRows(gate, job), ...filterRows(gate, job, isGitHubCom(serverUrl))]);
	if (problems.length > 0 || unclear.length > 0) return [...unclear, ...problems];
	const names = listed(jobs.map((job) => code(nameOf(job))));
	return [row_ok(job_rows_CHECK, `${names}: no condition skips the job or its step, and a failure counts.`)];
}
function unclearRow(path) {
	return {
		...row_warning(job_rows_CHECK, `${code(path)} uses the gate, and the doctor does not understand its YAML.`, MAINTAINER, "Check that the branch requires the job, and that nothing skips it: no `if`, no `continue-on-error`, and no `needs`. The doctor reads no merge keys and no unknown tags."),
		caveat: "skipped"
	};
}
function gapRows(gate, job) {
	const events = CHANGE_EVENTS.filter((event) => check_eventsOf(job.check).has(event));
	return gapsOf(job.check, {
		events: events.length > 0 ? events : [QUEUE_EVENT],
		repository: gate.repository,
		blocks: (place) => blocks(gate, job, place)
	}).map((gap) => gapRow(gap, job));
}
function gapRow(gap, gateJob) {
	const path = code(pathOf(gateJob.check));
	const name = code(gap.kind === "step-condition" ? nameOf(gateJob) : gap.job.id);
	switch (gap.kind) {
		case "continue-on-error": {
			const text = `${gap.of === "job" ? `The job ${name}` : `The step of the gate in the job ${name}`} (${path}) has \`continue-on-error\`, so a failure of the gate does not count.`;
			return row_error(job_rows_CHECK, text, MAINTAINER, "Remove `continue-on-error`. To report only, use `fail-on: none`.");
		}
		case "step-condition": {
			const text = `The step of the gate in the job ${name} (${path}) has the condition ${code(gap.condition)}. If it does not hold, the job passes without a scan.`;
			return row_error(job_rows_CHECK, text, MAINTAINER, "Remove the `if` of the step.");
		}
		case "condition": {
			const condition = `The job ${name} (${path}) has the condition ${code(gap.condition)}`;
			if (gap.surely) {
				const text = `${condition}, which does not hold on pull requests. ${SKIPPED}`;
				return row_error(job_rows_CHECK, text, MAINTAINER, "Remove the `if` of the job.");
			}
			const text = `${condition}. Where it does not hold, the job is skipped. ${SKIPPED}`;
			return {
				...row_warning(job_rows_CHECK, text, MAINTAINER, "Remove the `if` of the job, or make sure that it holds for every pull request."),
				caveat: "skipped"
			};
		}
		case "needs": {
			const needs = listed(gap.needs.map(code));
			const text = `The job ${name} (${path}) needs ${needs}, and is skipped if that fails or is skipped. ${SKIPPED}`;
			const fix = `Add \`if: \${{ !cancelled() }}\` to the job ${name}, or also require ${needs} as a status check that always runs.`;
			return row_error(job_rows_CHECK, text, MAINTAINER, fix);
		}
	}
}
const ALL_TYPES = "Set `types: [opened, synchronize, reopened, edited]`.";
function filterRows({ branch }, job, canStack) {
	if (!isRequired(job) || job.byRule) return [];
	const path = code(job.check.chain[0].workflow.path);
	const filters = filtersThatLeaveOut(job.check, branch);
	const withoutStart = filters.filter(({ name }) => name === "types").map(({ event }) => event);
	const withoutEdits = eventsWithoutEdits(job.check, branch, canStack).filter((event) => !withoutStart.includes(event));
	return [...filters.map(({ event, name }) => {
		const start = `${path} has \`${name}\` under \`${event}\``;
		const pending = "the workflow does not start, and the required check stays pending.";
		if (name === "types") {
			const why = `${start}, without \`opened\` or \`synchronize\`. For a new pull request or a new push to it, ${pending}`;
			return row_warning(job_rows_CHECK, why, MAINTAINER, ALL_TYPES);
		}
		const which = name.startsWith("paths") ? "of other files" : `onto ${code(branch)}`;
		const fix = name.startsWith("paths") ? `Remove \`${name}\`. To save credits, use the input \`paths-unscanned\`.` : `Change \`${name}\` so that the workflow runs for ${code(branch)}.`;
		return row_warning(job_rows_CHECK, `${start}. For pull requests ${which}, ${pending}`, MAINTAINER, fix);
	}), ...withoutEdits.map((event) => {
		const why = `${path} does not run on \`edited\` under \`${event}\`. If a pull request gets another base branch, the result for the old one still counts.`;
		return row_warning(job_rows_CHECK, why, MAINTAINER, ALL_TYPES);
	})];
}
const guidance_SHOWN_HASH_DIGITS = 8;
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
const schemas_CommitId = pipe(string(), check(target_isCommitId, "not a full commit id"));
const ObjectId = schemas_CommitId;
const schemas_ShaOf = pipe(object({ sha: schemas_CommitId }), transform(({ sha }) => sha));
const WebAddress = pipe(nullish(string()), transform((value) => {
	const url = value == null ? null : URL.parse(value);
	return url?.protocol === "https:" || url?.protocol === "http:" ? url.href : void 0;
}));
const Content = pipe(object({
	encoding: literal("base64"),
	content: string()
}), transform(({ content }) => Buffer.from(content, "base64")));
const KINDS = new Map([
	["100644", "file"],
	["100755", "file"],
	["040000", "folder"],
	["120000", "symlink"],
	["160000", "submodule"]
]);
const TreeAnswer = pipe(object({
	tree: pipe(array(object({
		path: pipe(string(), regex(/^[^/]+$/)),
		mode: string(),
		sha: ObjectId,
		size: optional(number())
	})), check((entries) => new Set(entries.map(({ path }) => path)).size === entries.length)),
	truncated: literal(false)
}), transform(({ tree }) => {
	const entryOf = (mode, sha, size) => {
		return {
			kind: KINDS.get(mode) ?? "other",
			mode,
			sha,
			size
		};
	};
	return new Map(tree.map(({ path, mode, sha, size }) => [path, entryOf(mode, sha, size)]));
}));
function readTree(github, sha) {
	return octokit_read(github, {
		operation: "read a folder of the repository",
		permission: "contents: read",
		route: "GET /repos/{owner}/{repo}/git/trees/{tree_sha}",
		parameters: { tree_sha: sha },
		answer: TreeAnswer
	});
}
function readBlob(github, sha) {
	return octokit_read(github, {
		operation: "read a file of the repository",
		permission: "contents: read",
		route: "GET /repos/{owner}/{repo}/git/blobs/{file_sha}",
		parameters: { file_sha: sha },
		answer: Content
	});
}
const SUPPORTED = "`pull_request`, `pull_request_target`, `merge_group`, `push`, `schedule` or `workflow_dispatch`";
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
function event_unsupportedEvent(why) {
	return {
		reason: "unsupported-event",
		cause: `${why}.`,
		nextStep: `Run this workflow on ${SUPPORTED}.`
	};
}
function event_readPayload(eventPath) {
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
function accessRefused(error, cause) {
	switch (error.kind) {
		case "forbidden":
		case "not-found":
			if (error.kind === "forbidden" && !lacksPermission(error)) break;
			return {
				reason: "configuration",
				cause,
				nextStep: `Add \`${error.permission}\` to the job's \`permissions\` and push. A re-run keeps the old permissions. If the workflow sets \`github-token\`, that token needs the permission instead.`
			};
		case "unauthorized": break;
		default: return;
	}
	return {
		reason: "configuration",
		cause,
		nextStep: fixOf(error)
	};
}
({ ...event_unsupportedEvent("The pull request was closed when GitHub sent this event. It is open now") });
async function findEntry({ github, signal }, commitSha, path) {
	let entry;
	let folderSha = commitSha;
	for (const name of path.split("/")) {
		if (folderSha === void 0) return result_ok(void 0);
		const folder = await readTree(github.until(signal), folderSha);
		if (!folder.ok) return folder;
		entry = folder.value.get(name);
		folderSha = entry?.kind === "folder" ? entry.sha : void 0;
	}
	return result_ok(entry);
}
const MOST_BYTES = 4 * LONGEST_GUIDANCE;
async function readGuidanceFile({ github, signal }, path, commitSha) {
	if (commitSha === void 0) return result_err(COMMIT_UNKNOWN);
	const where = `\`${path}\` at commit \`${commitSha.slice(0, 7)}\` of the base side`;
	const found = await findEntry({
		github,
		signal
	}, commitSha, path);
	if (!found.ok) return result_err(unreadable(where, found.error, signal));
	const entry = found.value;
	if (entry === void 0) return result_err(absent(where));
	if (entry.kind !== "file") return result_err(wrong(where, guidance_file_KINDS[entry.kind], USE_A_FILE));
	if ((entry.size ?? 0) > MOST_BYTES) return result_err(tooLong(where));
	const bytes = await readBlob(github.until(signal), entry.sha);
	if (!bytes.ok) return result_err(unreadable(where, bytes.error, signal));
	const text = guidance_file_decode(bytes.value);
	if (text === void 0) return result_err(wrong(where, "not UTF-8 text", "Save it as UTF-8"));
	if (text.trim() === "") return result_err(wrong(where, "empty", "Write the guidance into it"));
	const characters = countCharacters(text);
	if (characters > LONGEST_GUIDANCE) return result_err(tooLong(where));
	return result_ok({
		path,
		commitSha,
		characters,
		hash: (0, load_node_crypto().createHash)("sha256").update(text).digest("hex"),
		text
	});
}
function guidance_file_decode(bytes) {
	let text;
	try {
		text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
	} catch {}
	return text?.includes("\0") ? void 0 : text;
}
function withStoredGuidance({ path, text }, stored) {
	const whole = composeGuidance(stored, text);
	return countCharacters(whole) > LONGEST_GUIDANCE ? result_err(tooLong(`\`${path}\` with the stored guidance`)) : result_ok(whole);
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
	const cause = `Could not read the guidance file ${where}. ${errors_causeOf(error)}`;
	if (error.kind === "stopped") return explainStop(stopCause(signal), "it read the guidance file");
	return accessRefused(error, cause) ?? {
		reason: "service-error",
		cause,
		nextStep: fixOf(error)
	};
}
const EXPIRY_NOTICE_MS = 6048e5;
function token_check_scopeFaults(token, willPublish) {
	const { scopes } = token;
	if (scopes === void 0) return [];
	return [
		"read",
		"scans:launch",
		...willPublish ? ["publish"] : []
	].filter((scope) => !scopes.includes(scope)).map((scope) => missingScope(scope));
}
async function readStoredGuidance(api, projectId, repositoryId, signal) {
	const read = await api.guidance(projectId, repositoryId, { signal });
	if (read.ok) return read;
	const failure = explain_error_explainApiError(read.error);
	const cause = `${failure.cause} Scangate composes \`guidance-file\` with that text, so nothing was launched.`;
	return result_err(failure.bySignal === true ? failure : {
		...failure,
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
		cause: `\`api-token\` belongs to project \`${foreignLine(shown)}\`, but \`project-id\` is \`${foreignLine(given)}\`.`,
		nextStep: "Fix or remove `project-id` in the workflow and push, or update the secret with a token of that project."
	};
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
function parametersFault({ unreadable }) {
	const names = [...unreadable].filter((field) => field !== "headSha").map((field) => LAUNCH_NAMES[field]);
	if (names.length === 0) return void 0;
	return {
		reason: "configuration",
		cause: `\`launch-parameters\` has fields of the wrong type: ${names.join(", ")}.`,
		nextStep: "Use strings for ids, commits and guidance, a list of strings for audit areas, a whole number for the budget, and `null` to leave a field out."
	};
}
const MERGE_BASE = "the merge base";
const HEAD = "the head commit";
const PLACEHOLDERS = new Set([MERGE_BASE, HEAD]);
const HASH_DIGITS = 8;
function launchRow(repository, chosen, givenBase, { given, removes }, guidance) {
	if (repository === void 0 || chosen === void 0) return skipped("Launch request", "Not known: the repository or the preset was not found.");
	const fields = Object.entries(launchBody({
		repositoryId: repository.id,
		presetRef: chosen.preset.ref,
		creditBudget: chosen.creditBudget,
		baseSha: givenBase ?? MERGE_BASE,
		headSha: HEAD
	}, given, guidance)).map(([name, value]) => Object.hasOwn(given, name) ? describeGiven(name, value) : describeChosen(name, value));
	const removed = [...removes].map((field) => code(LAUNCH_NAMES[field]));
	const without = removed.length === 0 ? "" : ` \`launch-parameters\` removes ${removed.join(", ")}.`;
	return row_ok("Launch request", `${fields.join(", ")}.${without}`);
}
function describeChosen(name, value) {
	if (name === LAUNCH_NAMES.guidance) return describeText(name, String(value));
	return `${code(name)}: ${PLACEHOLDERS.has(value) ? String(value) : code(String(value))}`;
}
function describeGiven(name, value) {
	if (name !== LAUNCH_NAMES.guidance || typeof value !== "string") return `${code(name)}: from \`launch-parameters\``;
	return describeText(name, value);
}
function describeText(name, value) {
	const hash = hashOfText(value).slice(0, HASH_DIGITS);
	return `${code(name)}: a text of ${[...value].length} characters, SHA-256 ${code(hash)}\u2026`;
}
function guidanceRows(guidance) {
	if (guidance === void 0) return [];
	const { file, stored } = guidance;
	if (file === void 0) return [skipped("Guidance", "Not checked: the default branch was not read.")];
	if (!file.ok) return [problem(file.error, "Workflow maintainer")];
	const { path, commitSha, characters, hash } = file.value;
	const what = `${code(path)} at \`${commitSha.slice(0, 7)}\` has ${characters} characters, SHA-256 \`${hash.slice(0, guidance_SHOWN_HASH_DIGITS)}\`.`;
	if (stored === void 0) return [skipped("Guidance", `${what} The stored guidance was not read.`)];
	if (!stored.ok) return [problem(stored.error, "Project admin of the service")];
	const text = withStoredGuidance(file.value, stored.value);
	if (!text.ok) return [problem(text.error, "Workflow maintainer")];
	return [row_ok("Guidance", `${what} With the stored guidance, the gate sends ${countCharacters(text.value)} characters.`)];
}
function guidanceText(guidance) {
	if (!guidance?.file?.ok || !guidance.stored?.ok) return void 0;
	const text = withStoredGuidance(guidance.file.value, guidance.stored.value);
	return text.ok ? text.value : void 0;
}
function problem(failure, who) {
	const row = errorOf("Guidance", failure, who);
	return failure.reason === "configuration" ? row : {
		...row,
		level: "warning"
	};
}
const FIX_INPUT = "Fix the input in the workflow of the gate, and here.";
const FIX_OPTION = "Fix the option of the same name, such as `--base-url`, and the input in the workflow of the gate.";
function inputRows({ inputs, faults, missing, warnings, withoutToken }, parameters, headSha, isCommandLine) {
	const fix = isCommandLine ? FIX_OPTION : FIX_INPUT;
	const stops = [
		parametersFault(parameters),
		refuseTwoGuidances(inputs.setup.guidanceFile, parameters),
		headSha === "" ? void 0 : baseFault()
	];
	const rows = [
		...[...faults, ...missing].map((sentence) => row_error("Inputs", sentence, "Workflow maintainer", fix)),
		...withoutToken ? [isCommandLine ? NO_TOKEN_VARIABLE : NO_TOKEN] : [],
		...stops.flatMap((failure) => failure === void 0 ? [] : [errorOf("Inputs", failure, "Workflow maintainer")]),
		...warnings.map((sentence) => row_warning("Inputs", sentence, "Workflow maintainer", fix))
	];
	return rows.length > 0 ? rows : [row_ok("Inputs", "All inputs are valid.")];
	function baseFault() {
		const planned = planBase(headSha, inputs.setup.baseSha, parameters);
		return planned.ok ? void 0 : planned.error;
	}
}
const NO_TOKEN = row_error("Inputs", "`api-token` is empty.", "Workflow maintainer", "Check that the secret exists and its name matches. Run the doctor on `workflow_dispatch`: on pull requests from forks and Dependabot, GitHub can withhold secrets.");
const NO_TOKEN_VARIABLE = row_error("Inputs", "There is no token for the service.", "Workflow maintainer", "Set the environment variable `SCANGATE_API_TOKEN` to the API token of the project.");
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
const FORM = `Use one of: ${SEVERITY_LEVELS.join(", ")}, none. Or a list, for example \`critical, high:confirmed, medium:poc\`.`;
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
	const severity = SEVERITY_LEVELS.find((level) => level === name);
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
function input_forms_readPaths(given, fault) {
	if (given === void 0) return [];
	const { patterns, slips } = readPathPatterns(given);
	for (const { pattern, sentence } of slips) fault(pattern === void 0 ? `is too long. ${sentence}` : `contains ${quote(pattern)}. ${sentence}`);
	return patterns;
}
function readPathsExempt(given, failOn, fault) {
	const patterns = input_forms_readPaths(given, fault);
	if (failOn.rules.length === 0 || !matchesEverything(patterns)) return patterns;
	fault("matches files of any name in any folder, so that no finding could block. Name folders or file types. To only report findings, set `fail-on` to `none`.");
	return [];
}
function readPathsUnscanned(given, fault) {
	const patterns = input_forms_readPaths(given, fault);
	if (!matchesEverything(patterns)) return patterns;
	fault("matches files of any name in any folder, so that no change would be scanned. Name folders or file types that need no scan.");
	return [];
}
const name_rows_CHECK = "Same name";
const name_rows_MAINTAINER = "Workflow maintainer";
const OTHER_EVENTS = [
	"push",
	"schedule",
	"create",
	"pull_request_review",
	"pull_request_review_comment",
	"workflow_dispatch"
];
const OWN_EVENTS = [
	...CHANGE_EVENTS,
	QUEUE_EVENT,
	"workflow_call"
];
function sameNameRows(gate) {
	const ofJobs = requiredJobNames(gate);
	const runs = checkRunsOf(gate);
	const ofRuns = gate.required.map(({ name }) => name).filter((name) => !ofJobs.includes(name) && runs.some((run) => run.name === name));
	const problems = [
		...ofJobs.flatMap((name) => [...otherEventRows(gate, name), ...secondJobRows(gate, name)]),
		...ofJobs.flatMap((name) => runs.filter((run) => run.name === name).map((run) => ownRunRow(run, name))),
		...ofRuns.flatMap((name) => runs.filter((run) => run.name === name).flatMap((run) => otherRunRows(run, name)))
	];
	if (ofJobs.length === 0) return problems;
	const unknown = unknownWriters(gate, ofJobs, runs);
	if (unknown.length > 0) return [...problems, skipped(name_rows_CHECK, `Not checked: ${listed(unknown)}.`)];
	if (problems.length > 0) return problems;
	const list = listed(ofJobs.map(code));
	return [row_ok(name_rows_CHECK, `Only the gate on pull requests and merge groups reports ${list}.`)];
}
function checkRunsOf({ checks }) {
	return gateChecks(checks).flatMap((check) => check.steps.map(({ inputs }) => {
		const name = textOf(inputs.get("check-name")) ?? INPUT_DEFAULTS["check-name"];
		return {
			check,
			name: name.includes("${{") ? void 0 : name.trim()
		};
	}));
}
function otherEventRows({ checks }, name) {
	return checks.filter((check) => isNamed(check, name) === true).flatMap((check) => otherEvents(check).map((event) => otherEventRow(check, event, `reports ${code(name)}`)));
}
function otherRunRows({ check }, name) {
	return otherEvents(check).map((event) => otherEventRow(check, event, `writes the check run ${code(name)}`));
}
function otherEventRow(check, event, does) {
	const text = `${jobIn(check)} also ${does} on \`${event}\`. That result counts for a pull request whose head is the same commit.`;
	const fix = `Run it on \`${event}\` in a workflow of its own, as a job with another name (${docsPage("events")}).`;
	return (event === "workflow_dispatch" ? row_warning : row_error)(name_rows_CHECK, text, name_rows_MAINTAINER, fix);
}
function otherEvents(check) {
	return OTHER_EVENTS.filter((event) => check_eventsOf(check).has(event));
}
function ownRunRow({ check }, name) {
	const text = `The gate in ${jobIn(check, "the")} writes a check run ${code(name)}, which satisfies the requirement as the job does.`;
	return row_error(name_rows_CHECK, text, name_rows_MAINTAINER, "Set `check-name` to another name, and require the job.");
}
function secondJobRows({ checks }, name) {
	const same = checks.filter((check) => isNamed(check, name) === true);
	const rivals = [CHANGE_EVENTS, [QUEUE_EVENT]].map((events) => same.filter((check) => events.some((event) => check_eventsOf(check).has(event)))).find(({ length }) => length > 1);
	if (rivals === void 0) return [];
	const places = listed(rivals.map((check) => `${code(check_jobOf(check).id)} (${code(pathOf(check))})`));
	const text = `Several jobs report ${code(name)} on the same events: ${places}. Any of these jobs can satisfy the required check.`;
	return [row_warning(name_rows_CHECK, text, name_rows_MAINTAINER, "Give each job a name of its own, and require each job of the gate.")];
}
function unknownWriters(gate, names, runs) {
	const isAny = (check, truth) => names.some((name) => isNamed(check, name) === truth);
	return [
		...gate.unread.map((path) => `the doctor does not understand the YAML of ${code(path)}`),
		...gate.hasAllFiles ? [] : ["the repository has more workflow files than the doctor reads"],
		...gate.checks.filter((check) => isAny(check, void 0)).map((check) => `the files do not show the names of ${jobIn(check, "the")}`),
		...runs.filter(({ name }) => name === void 0).map(({ check }) => `\`check-name\` in ${jobIn(check, "the")} is an expression`),
		...gate.checks.filter((check) => isAny(check, true)).flatMap((check) => [...check_eventsOf(check).keys()].filter((event) => ![...OWN_EVENTS, ...OTHER_EVENTS].includes(event)).map((event) => `${jobIn(check, "the")} also runs on ${code(event)}`))
	];
}
function jobIn(check, article = "The") {
	return `${article} job ${code(check_jobOf(check).id)} (${code(pathOf(check))})`;
}
const policy_rows_CHECK = "Policy";
const CAUSED_BY_AUTHORS = [
	"scan-failed",
	"timeout",
	"service-error",
	"insufficient-credits",
	"rate-limited",
	"superseded"
];
const CAUSED_BY_FORKS = new Map([["pull_request", "missing-token"], ["pull_request_target", "untrusted-fork"]]);
const PATHS = ["paths-exempt", "paths-unscanned"];
const INPUTS = [
	"fail-on",
	"fail-on-evidence",
	"allow-unscanned",
	...PATHS
];
const EXTENSIONS = new Map([
	["C", "c"],
	["C#", "cs"],
	["C++", "cpp"],
	["Dart", "dart"],
	["Elixir", "ex"],
	["Go", "go"],
	["Java", "java"],
	["JavaScript", "js"],
	["Kotlin", "kt"],
	["Objective-C", "m"],
	["PHP", "php"],
	["Perl", "pl"],
	["Python", "py"],
	["Ruby", "rb"],
	["Rust", "rs"],
	["Scala", "scala"],
	["Shell", "sh"],
	["Solidity", "sol"],
	["Swift", "swift"],
	["TypeScript", "ts"]
]);
function policyRows(gate, { languages }) {
	const policies = policiesOf(gate);
	const names = languages?.ok ? languages.value : [];
	const rows = [
		...reportRows(policies),
		...policies.flatMap((policy) => [...reasonRows(policy), ...pathRows(policy, names)]),
		...policies.filter(({ unknown }) => unknown.length > 0).map(unknownRow),
		...languages?.ok === false ? [unreadExtra(policy_rows_CHECK, languages.error)] : []
	];
	const shown = rows.length > 0 ? rows : policies.filter(policy_rows_blocks).map(blockingRow);
	return [...new Map(shown.map((row) => [row.text, row])).values()];
}
function namesPaths(gate) {
	return policiesOf(gate).some(({ paths }) => paths.some(([, patterns]) => patterns.length > 0));
}
function policiesOf(gate) {
	return decidingJobs(gate).flatMap((job) => {
		const events = [...check_eventsOf(job.check).keys()];
		return job.check.steps.filter((step) => mayRun(step, gate.repository, job.check)).map((step) => ({
			name: nameOf(job),
			events,
			...inputsOf(step)
		}));
	});
}
function inputsOf({ inputs: given }) {
	const value = (name) => textOf(given.get(name)) ?? "";
	const isKnown = (name) => !value(name).includes("${{");
	const { word, withDefault, text } = createInputReader({
		getInput: (name) => isKnown(name) ? value(name) : "",
		setSecret: () => {}
	});
	const ignored = () => {};
	const evidence = word("fail-on-evidence", EVIDENCE_LEVELS);
	return {
		failOn: readFailOn(withDefault("fail-on"), evidence, ignored),
		allowed: readReasons(withDefault("allow-unscanned"), ignored),
		paths: PATHS.map((name) => [name, readPathPatterns(text(name) ?? "").patterns]),
		unknown: INPUTS.filter((name) => !isKnown(name))
	};
}
function reportRows(policies) {
	if (policies.some(policy_rows_blocks)) return [];
	return policies.map(({ name }) => lenient(`${code(name)} has \`fail-on: none\`: it reports only, and no finding blocks.`, "To block, set `fail-on` to a severity, such as `high`."));
}
function policy_rows_blocks({ failOn, unknown }) {
	return failOn.rules.length > 0 || unknown.includes("fail-on");
}
function reasonRows({ name, events, allowed }) {
	const forks = events.flatMap((event) => CAUSED_BY_FORKS.get(event) ?? []);
	return [...allowedRows(name, "The author of a pull request", allowed.filter((one) => CAUSED_BY_AUTHORS.includes(one))), ...allowedRows(name, "Any fork", allowed.filter((one) => forks.includes(one)))];
}
function allowedRows(name, who, reasons) {
	if (reasons.length === 0) return [];
	const these = reasons.length === 1 ? "this reason" : "these reasons";
	return [lenient(`${code(name)} allows ${listed(reasons.map(code))}. ${who} can cause ${these}, and so pass without a scan.`, `Remove ${these} from \`allow-unscanned\`.`)];
}
function pathRows({ name, paths }, languages) {
	return paths.flatMap(([input, patterns]) => {
		const isExempt = input === "paths-exempt";
		const start = `\`${input}\` of ${code(name)} matches every file`;
		const what = "Name only files that never run.";
		if (patterns.length === 0) return [];
		if (matchesEverything(patterns)) return [lenient(`${start}: ${isExempt ? "no finding blocks" : "no change is scanned"}.`, what)];
		const whole = languages.filter((one) => matchesExtension(patterns, EXTENSIONS.get(one) ?? ""));
		if (whole.length === 0) return [];
		const effect = isExempt ? "findings in them never block" : "a change of such files alone is not scanned";
		return [lenient(`${start} of ${listed(whole)}: ${effect}.`, what)];
	});
}
function unknownRow({ name, unknown }) {
	const [are, expressions] = unknown.length === 1 ? ["is", "an expression"] : ["are", "expressions"];
	const inputs = listed(unknown.map(code));
	return skipped(policy_rows_CHECK, `Not checked: ${inputs} of ${code(name)} ${are} ${expressions}.`);
}
function blockingRow({ name, failOn }) {
	return row_ok(policy_rows_CHECK, `${code(name)} blocks on ${code(verdict_failOnText(failOn))}, and allows no reason that an author can cause.`);
}
function lenient(text, what) {
	return {
		...row_warning(policy_rows_CHECK, text, "Workflow maintainer", what),
		caveat: "policy"
	};
}
const queue_rows_MAINTAINER = "Workflow maintainer";
const PER_GROUP = /\bgithub\.(?:ref|ref_name|sha|run_id|run_number|event\.merge_group\.head_\w+)\b/i;
function requiredWorkflowRows({ jobs }) {
	const cancelling = jobs.filter(({ byRule }) => byRule).flatMap(({ check }) => check.chain).filter(({ workflow, job }) => [workflow.concurrency, job.concurrency].some(cancels));
	return [...new Set(cancelling.map(({ workflow }) => workflow.path))].map((path) => row_error("Required workflow", `A ruleset requires ${code(path)}, which has \`cancel-in-progress\`. A run that is cancelled leaves the requirement unmet.`, "Workflow maintainer", "Remove `cancel-in-progress` from the workflow. Scangate itself cancels the scans of older heads."));
}
function cancels(concurrency) {
	return mayBeTrue(textOf(workflow_membersOf(concurrency ?? "").get("cancel-in-progress")));
}
const QUEUE_CHECK = "Merge queue";
const HIDDEN = "No ruleset has one. Not checked: this token may not read whether classic branch protection has one.";
function queueRows(gate, github) {
	const row = startRow(gate, github);
	const problems = github.queue?.ok === true && github.queue.value !== "none" ? cancelledRows(gate) : [];
	return row.level === "ok" && problems.length > 0 ? problems : [row, ...problems];
}
function startRow({ branch, jobs }, { queue }) {
	if (queue === void 0) return skipped(QUEUE_CHECK, "Not checked: the rules were not read.");
	if (!queue.ok && lacksPermission(queue.error)) return skipped(QUEUE_CHECK, HIDDEN);
	if (!queue.ok) return unreadExtra(QUEUE_CHECK, queue.error);
	if (queue.value === "none") return row_ok(QUEUE_CHECK, `${code(branch)} has no merge queue.`);
	const what = `Add \`merge_group:\` to the events of the workflow, as ${docsPage("merge-queue")} shows.`;
	const queued = new Set(jobs.filter(({ check }) => check_eventsOf(check).has(QUEUE_EVENT)).filter((job) => job.byRule || filtersThatLeaveOut(job.check, branch, [QUEUE_EVENT]).length === 0).flatMap(queue_rows_namesOf));
	const waiting = jobs.filter(isRequired).flatMap(queue_rows_namesOf).filter((name) => !queued.has(name));
	if (waiting.length > 0) {
		const names = listed([...new Set(waiting)].map(code));
		const text = `${code(branch)} has a merge queue and requires ${names}, which does not run on \`merge_group\` of this branch: the queue waits for it until its timeout.`;
		return row_error(QUEUE_CHECK, text, queue_rows_MAINTAINER, what);
	}
	if (queued.size > 0) return row_ok(QUEUE_CHECK, "The workflow of the gate runs on `merge_group`.");
	const text = `${code(branch)} has a merge queue, and no workflow of the gate runs on \`merge_group\`: the queue merges without it.`;
	return row_warning(QUEUE_CHECK, text, queue_rows_MAINTAINER, what);
}
function queue_rows_namesOf(job) {
	return job.required.length > 0 ? job.required : [nameOf(job)];
}
function cancelledRows({ jobs, repository }) {
	const cancelling = jobs.filter(({ check }) => check_eventsOf(check).has(QUEUE_EVENT)).flatMap(({ check }) => check.chain).filter(({ workflow, job }) => [workflow.concurrency, job.concurrency].some((one) => cancelsOthers(one, repository)));
	return [...new Set(cancelling.map(({ workflow }) => workflow.path))].map((path) => row_warning(QUEUE_CHECK, `In ${code(path)}, all runs on \`merge_group\` have the same concurrency group, and \`cancel-in-progress\`. Each new merge group cancels the run of the one before it.`, queue_rows_MAINTAINER, `Add \`\${{ github.ref }}\` to the group.`));
}
function cancelsOthers(concurrency, repository) {
	const members = workflow_membersOf(concurrency ?? "");
	const cancel = textOf(members.get("cancel-in-progress"));
	if (cancel === void 0 || PER_GROUP.test(textOf(members.get("group")) ?? "")) return false;
	return holds(cancel, {
		event: QUEUE_EVENT,
		repository,
		succeeded: true
	}) !== false;
}
const required_rows_CHECK = "Required check";
const required_rows_ADMIN = "Repository admin on GitHub";
const required_rows_MAINTAINER = "Workflow maintainer";
function unknownRequirement(github) {
	if (github?.rules?.ok === false) return {
		...unread(required_rows_CHECK, github.rules.error),
		level: "warning"
	};
	if (github?.workflows?.ok === false) return {
		...unread(required_rows_CHECK, github.workflows.error),
		level: "warning"
	};
	return skipped(required_rows_CHECK, "Not checked: the default branch was not read.");
}
function requiredRows(gate, checkName, app) {
	const uncalled = uncalledRows(gate);
	const required = gate.jobs.filter(isRequired);
	if (required.length > 0) return [...uncalled, ...required.map((job) => requiredJobRow(gate, job))];
	if (uncalled.length > 0) return uncalled;
	const { branch, jobs, isWhole } = gate;
	const names = [...new Set(gate.required.map(({ name }) => name))];
	if (names.includes(checkName)) return [checkRunRow(gate, checkName, app)];
	const list = names.length === 0 ? "no status check" : listed(names.map(code));
	const calls = listed(unreadCalls(gate).map(code));
	if (jobs.length === 0 && calls !== "") {
		const text = `Not checked: ${code(branch)} requires ${list}, and the doctor did not read ${calls}.`;
		return [row_warning(required_rows_CHECK, text, required_rows_MAINTAINER, "Check that this workflow runs the gate, and that nothing skips it.")];
	}
	if (jobs.length === 0 && gate.unclear.length > 0) return [skipped(required_rows_CHECK, `Not checked: the doctor does not understand the workflow of the gate. ${code(branch)} requires ${list}.`)];
	if (jobs.length === 0) {
		const text = isWhole ? `No workflow on ${code(branch)} runs the gate on pull requests, as far as its files show. The branch requires ${list}.` : `It is unknown whether a workflow runs the gate on pull requests onto ${code(branch)}: GitHub did not show all rules and workflows. The branch requires ${list}.`;
		return [row_warning(required_rows_CHECK, text, required_rows_MAINTAINER, `Commit the workflow of the gate. If a ruleset requires it from another repository, give \`github-token\` read access to that one. ${requireSentence(gate)}`)];
	}
	if (!isWhole || jobs.some(({ check }) => check.names === void 0)) {
		const text = `It is unknown whether ${code(branch)} requires the job. It requires ${list}, as far as GitHub shows it.`;
		return [row_warning(required_rows_CHECK, text, required_rows_ADMIN, `Check it in the settings. ${requireSentence(gate)}`)];
	}
	const collecting = collectorsOf(gate);
	if (collecting.length > 0) {
		const others = listed(collecting.map(code));
		const text = `${code(branch)} requires ${others}, which reads the result of the gate. The doctor cannot prove that ${others} fails if the gate does not succeed.`;
		return [row_warning(required_rows_CHECK, text, required_rows_ADMIN, requireSentence(gate))];
	}
	const text = `${code(branch)} does not require the job, so a failed job does not block a merge. It requires ${list}.`;
	return [row_warning(required_rows_CHECK, text, required_rows_ADMIN, requireSentence(gate))];
}
function unreadCalls({ checks, required }) {
	return checks.filter((check) => isUnread(check) && required.some(({ name }) => isNamed(check, name) === void 0)).flatMap((check) => check_jobOf(check).calls ?? []);
}
function collectorsOf({ checks, jobs, required, repository }) {
	const isCollecting = (check) => jobs.some(({ check: gate }) => {
		const [{ workflow, job }] = check.chain;
		const [first] = gate.chain;
		return workflow === first.workflow && job.needs.includes(first.job.id) && job.readsResults && CHANGE_EVENTS.filter((event) => check_eventsOf(check).has(event)).every((event) => holds(job.condition, {
			event,
			repository,
			succeeded: false
		}) !== false);
	});
	return [...new Set(required.map(({ name }) => name))].filter((name) => checks.some((check) => isNamed(check, name) === true && isCollecting(check)));
}
function requireSentence({ branch, jobs }) {
	const name = jobs.flatMap(({ check }) => check.names ?? [])[0];
	return `Make ${name === void 0 ? "the job of the gate" : `the job ${code(name)}`} a required status check of ${code(branch)}, with the source GitHub Actions (Settings \u2192 Rules \u2192 Rulesets).`;
}
function requiredJobRow({ branch }, job) {
	if (job.byRule) return row_ok(required_rows_CHECK, `A ruleset of ${code(branch)} requires the workflow with the job ${code(nameOf(job))}.`);
	const missing = (job.check.names ?? []).filter((name) => !job.required.includes(name));
	const required = listed(job.required.map(code));
	if (missing.length > 0) {
		const text = `${code(branch)} requires ${required}, but not ${listed(missing.map(code))}.`;
		return row_warning(required_rows_CHECK, text, required_rows_ADMIN, "Require every job of the matrix.");
	}
	return row_ok(required_rows_CHECK, `${code(branch)} requires the job${job.required.length === 1 ? "" : "s"} ${required}.`);
}
function checkRunRow({ branch, required, jobs, ...gate }, checkName, app) {
	const start = `${code(branch)} requires the check run ${code(checkName)}, not the job.`;
	const expected = required.find(({ name }) => name === checkName)?.appId;
	const hasToken = jobs.some(({ check }) => check.steps.some(({ inputs }) => inputs.has("github-token")));
	if (expected !== void 0 && hasToken && app === expected) return row_ok(required_rows_CHECK, `${code(branch)} requires the check run ${code(checkName)} from the app of \`github-token\`.`);
	if (expected !== void 0 && hasToken && app === void 0) {
		const text = `${start} It is unknown whether \`github-token\` is a token of the app that has to report it.`;
		return row_warning(required_rows_CHECK, text, required_rows_ADMIN, "Compare the app of the token with the source of the required check.");
	}
	const text = `${start} Every workflow that may write checks can write a check run of this name.`;
	const require = requireSentence({
		branch,
		required,
		jobs,
		...gate
	});
	return row_error(required_rows_CHECK, text, required_rows_ADMIN, `${require} Then remove the check run from the list.`);
}
function uncalledRows({ branch, required, checks, isWhole, callable }) {
	if (!isWhole) return [];
	return [...new Set(required.map(({ name }) => name))].filter((name) => callable.some((job) => name.endsWith(` / ${job}`))).filter((name) => checks.every((check) => isNamed(check, name) === false)).map((name) => {
		const text = `${code(branch)} requires ${code(name)}, and no workflow calls the gate by a job of that name. The check is never reported.`;
		return row_error(required_rows_CHECK, text, required_rows_ADMIN, "Require the check under the name that pull requests show: the calling job, a slash, the job of the gate.");
	});
}
function addressRows(baseUrl, proxy, service) {
	if (proxy.fault !== void 0) return [errorOf("Address", proxy.fault, "Admin of the runner")];
	if (service === void 0) return [skipped("Address", "Not checked: fix the inputs first.")];
	const { token } = service;
	if (!token.ok && token.error.kind !== "refused") return [errorOf("Address", explainRead(token.error), fixerOf(token.error))];
	const transport = baseUrl.startsWith("https:") ? "over TLS" : "over http on this machine";
	const way = proxy.variable === void 0 ? "" : ` ${code(proxy.variable)} is set.`;
	return [row_ok("Address", `${code(baseUrl)} answers JSON ${transport}.${way}`)];
}
const service_rows_ADMIN = "Project admin of the service";
const NEW_TOKEN = "Create a new token in the integration settings of the project, and update the secret.";
const DAY_MS = 864e5;
function tokenRows(service, question) {
	if (service === void 0) return [skipped("Token", "Not checked: fix the inputs first.")];
	const { token } = service;
	if (!token.ok) return [token.error.kind === "refused" ? errorOf("Token", explainRead(token.error), fixerOf(token.error)) : skipped("Token", "Not checked: the service cannot be reached."), ...projectRows(service)];
	const { value } = token;
	return [
		acceptedRow(value, question),
		...projectRows(service),
		...scopeRows(value, question.willPublish),
		spendLimitRow(value, question),
		allowlistRow(value, question)
	];
}
function projectRows({ projectId }) {
	if (projectId === void 0) return [skipped("Project", "Not checked: the token was not read.")];
	if (!projectId.ok) return [errorOf("Project", projectId.error, "Workflow maintainer")];
	return [row_ok("Project", `${code(projectId.value)}.`)];
}
function scopeRows(token, willPublish) {
	const missing = token_check_scopeFaults(token, willPublish);
	if (missing.length > 0) return missing.map((fault) => errorOf("Scopes", fault, service_rows_ADMIN));
	const needed = willPublish ? "`read`, `scans:launch` and `publish`" : "`read` and `scans:launch`";
	return token.scopes === void 0 ? [notShown("Scopes", "scopes", `the token has ${needed}`)] : [row_ok("Scopes", `The token has ${needed}.`)];
}
const ACCEPTED = "The service accepts `api-token`";
function acceptedRow({ expiresAt }, { isPublic, now }) {
	if (expiresAt === void 0) return row_ok("Token", `${ACCEPTED}, and shows no expiry.`);
	const left = new Date(expiresAt).getTime() - now.getTime();
	if (Number.isNaN(left)) return notShown("Token", "a readable expiry", "the token does not expire soon");
	if (left <= 0) return row_error("Token", "The token has expired.", service_rows_ADMIN, NEW_TOKEN);
	const days = Math.floor(left / DAY_MS);
	const isNear = left <= EXPIRY_NOTICE_MS;
	const when = isPublic ? `within 7 days` : `in ${days === 1 ? "1 day" : `${days} days`}`;
	if (isNear) return row_warning("Token", `The token expires ${when}.`, service_rows_ADMIN, NEW_TOKEN);
	return row_ok("Token", `${ACCEPTED}. It ${isPublic ? "does not expire" : "expires"} ${when}.`);
}
function spendLimitRow({ spendLimit }, { budget, isPublic }) {
	if (spendLimit !== void 0 && (spendLimit === 0 || spendLimit < (budget ?? 0))) return row_error("Spend limit", isPublic ? "The spend limit of the token is below the budget of one scan." : `The spend limit of the token is ${spendLimit} credits, below the budget of one scan (${budget ?? 1} or more).`, service_rows_ADMIN, "Raise the spend limit of the token, or lower `credit-budget`.");
	if (isPublic) return row_ok("Spend limit", "The service shows none that is below the budget of one scan.");
	return row_ok("Spend limit", spendLimit === void 0 ? "The service shows no spend limit." : `${spendLimit} credits per billing period. What is left of it is not shown.`);
}
function allowlistRow({ allowlist }, { repository, isPublic }) {
	if (repository === void 0) return skipped("Allowlist", "Not checked: the repositories were not read.");
	if (repository.ok) {
		if (isPublic || allowlist === void 0) return row_ok("Allowlist", "The token may see this repository.");
		const { length } = allowlist;
		return row_ok("Allowlist", length === 0 ? "None: the token may see every repository of the project." : `The token may see this repository, one of ${length}.`);
	}
	if (allowlist !== void 0 && allowlist.length === 0) return row_ok("Allowlist", "None: the token may see every repository of the project.");
	return row_error("Allowlist", "The token may not see this repository, or the project does not have it.", service_rows_ADMIN, "Add the repository to the project and to the allowlist of the token.");
}
function notShown(check, what, whether) {
	return row_warning(check, `The service does not show ${what}.`, service_rows_ADMIN, `Check in the integration settings of the project that ${whether}.`);
}
function repositoryRows(service, found, wanted) {
	const list = service?.lists?.repositories;
	if (list !== void 0 && !list.ok) return [errorOf("Repository", explainRead(list.error), fixerOf(list.error))];
	if (found === void 0) return [skipped("Repository", "Not checked: the repositories were not read.")];
	if (!found.ok) return [errorOf("Repository", found.error, service_rows_ADMIN)];
	return [stateRow(found.value, wanted)];
}
function stateRow(repository, wanted) {
	const fault = repository_entry_repositoryFault(repository, calledIn(wanted));
	if (fault !== void 0) return errorOf("Repository", fault, service_rows_ADMIN);
	const { id, owner, name, readiness } = repository;
	const called = `${code(`${owner}/${name}`)} is ${code(id)} in the service`;
	return readiness === "ready" ? row_ok("Repository", `${called}, ACTIVE and ready.`) : row_warning("Repository", `${called}. It is not ready: ${code(readiness)}.`, "Support of the service", "Wait until the service has analyzed the repository. A scan waits for it too, and ends as `initializing` if it takes longer than `timeout-minutes`.");
}
const service_rows_MOST_SHOWN = 20;
const LONGEST_DESCRIPTION = 120;
function chosenPreset(service, { ref, creditBudget }) {
	const presets = service?.lists?.presets;
	const preset = presets?.ok ? choose_choosePreset(presets.value, ref) : void 0;
	const budget = preset?.ok ? choose_chooseBudget(creditBudget, preset.value) : void 0;
	return preset?.ok && budget?.ok ? {
		preset: preset.value,
		creditBudget: budget.value
	} : void 0;
}
function presetRows(service, question) {
	const presets = service?.lists?.presets;
	if (presets === void 0) return [skipped("Preset", "Not checked: the presets were not read.")];
	if (!presets.ok) return [errorOf("Preset", explainRead(presets.error), fixerOf(presets.error))];
	const { sound, malformed } = splitEntries(presets.value);
	const diff = choose_choosePreset(presets.value, question.ref, "diff");
	const full = choose_choosePreset(presets.value, question.ref, "full");
	const more = sound.length - service_rows_MOST_SHOWN;
	return [
		...sound.slice(0, service_rows_MOST_SHOWN).map((preset) => row_ok("Preset", service_rows_describe(preset))),
		...more > 0 ? [row_ok("Preset", `${more} more are not shown here.`)] : [],
		...malformed.slice(0, service_rows_MOST_SHOWN).map(({ fault }) => row_warning("Preset", `The service lists a preset that is not as documented: ${fault}.`, "Support of the service", "Ask for presets as version 1 of the API documents them.")),
		pullRequestRow(diff, full, question.ref),
		scheduleRow(full),
		...budgetRows(diff, full, question)
	];
}
function service_rows_describe({ ref, name, minCredits, modelTier, description }) {
	const minimum = minCredits === 0 ? "no minimum of its own" : `at least ${minCredits} credits`;
	const tier = modelTier === void 0 ? "" : `, model tier ${code(modelTier)}`;
	const about = description === void 0 ? "" : ` ${foreignLine(description, LONGEST_DESCRIPTION)}`;
	return `${code(ref)} (${foreignLine(name)}): ${minimum}${tier}.${about}`;
}
function pullRequestRow(diff, full, ref) {
	if (!diff.ok) return errorOf("Pull request", diff.error, "Workflow maintainer");
	const shown = code(diff.value.ref);
	if (ref !== void 0 && full.ok && !looksLikeDiff(diff.value)) return row_warning("Pull request", `It would take ${shown}, whose name does not say that it scans a change. Any other preset refuses a base commit.`, "Workflow maintainer", "Check that this preset is a diff preset. On `schedule` and `workflow_dispatch` any other one is right.");
	return row_ok("Pull request", `It takes ${shown}. So do merge groups and pushes.`);
}
function scheduleRow(full) {
	if (full.ok) return row_ok("Schedule", `It takes ${code(full.value.ref)}. So does \`workflow_dispatch\`.`);
	return skipped("Schedule", `Not possible with these inputs, and only a workflow on \`schedule\` or \`workflow_dispatch\` needs it. ${full.error.cause}`);
}
function budgetRows(diff, full, { creditBudget }) {
	const choices = [diff, full].flatMap((choice) => choice.ok ? [choice.value] : []);
	const presets = [...new Map(choices.map((preset) => [preset.ref, preset])).values()];
	if (presets.length === 0) return [skipped("Budget", "Not checked: no preset was chosen.")];
	return presets.map((preset, index) => {
		const budget = choose_chooseBudget(creditBudget, preset);
		if (!budget.ok && index > 0) return skipped("Budget", `Not possible on a schedule. ${budget.error.cause}`);
		if (!budget.ok) return errorOf("Budget", budget.error, "Workflow maintainer");
		const credits = budget.value === void 0 ? "the default of the service" : `${budget.value} credits`;
		return row_ok("Budget", `One scan by ${code(preset.ref)} reserves ${credits}.`);
	});
}
const FOLDER = "triage";
const triage_rows_CHECK = "Triage";
const triage_rows_MAINTAINER = "Workflow maintainer";
const LEVELS = [
	"none",
	"read",
	"write"
];
const TOKEN = "triage-token";
function triageRows(gate, { environments }) {
	const uses = stepsUsing(gate.workflows, FOLDER);
	const rows = uses.flatMap((use) => {
		const problems = [
			...permissionRows(use),
			...jobNameRows(gate, use),
			...commentRows(gate, use),
			...triage_rows_tokenRows(use, environments)
		];
		return problems.length > 0 ? problems : [row_ok(triage_rows_CHECK, `${code(use.workflow.path)} may re-run the job of the gate.`)];
	});
	if (uses.length === 0 || uses.some((use) => startsOnComment(use, gate.repository))) return rows;
	const text = `${listed(uses.map(({ workflow }) => code(workflow.path)))} never starts on a comment, so \`/scangate\` commands get no answer.`;
	const what = "Add `issue_comment` with `types: [created]` to its events.";
	return [...rows.filter(({ level }) => level !== "ok"), row_warning(triage_rows_CHECK, text, triage_rows_MAINTAINER, what)];
}
function startsOnComment({ workflow, job }, repository) {
	const event = "issue_comment";
	const filters = workflow.events.get(event);
	if (filters === void 0) return false;
	const types = textsOf(workflow_membersOf(filters).get("types"));
	if (types.length > 0 && !types.includes("created")) return false;
	return holds(job.condition, {
		event,
		repository,
		succeeded: true
	}) !== false;
}
function tokenEnvironmentsOf({ workflows }) {
	return stepsUsing(workflows, FOLDER).flatMap(({ job, step }) => step.inputs.has(TOKEN) && job.environment !== void 0 && !job.environment.includes("${{") ? [job.environment] : []);
}
function triage_rows_tokenRows({ workflow, job, step }, environments) {
	if (!step.inputs.has(TOKEN)) return [];
	const text = `${code(workflow.path)} passes \`${TOKEN}\``;
	const what = `Save the token as a secret of an environment that only the default branch may use (Settings \u2192 Environments), and name it in the job ${code(job.id)}.`;
	if (job.environment === void 0) {
		const why = `${text} without an environment, so an author with write access can read it in a workflow on a branch.`;
		return [row_error(triage_rows_CHECK, why, triage_rows_MAINTAINER, what)];
	}
	const read = environments?.get(job.environment);
	if (read?.ok === false) return [unreadExtra(triage_rows_CHECK, read.error)];
	const branches = read?.value?.branches ?? "all";
	const open = typeof branches === "string" ? [] : branches.filter((pattern) => /[*?[]/.test(pattern));
	if (read === void 0 || branches !== "all" && open.length === 0) return [];
	const which = branches === "all" ? "any branch" : `any branch that matches ${listed(open.map(code))}`;
	const why = `${text} from the environment ${code(job.environment)}, which ${which} may use.`;
	return [row_warning(triage_rows_CHECK, why, "Repository admin on GitHub", what)];
}
function permissionRows({ workflow, job, step }) {
	const granted = job.permissions ?? workflow.permissions;
	if (granted === void 0 || step.inputs.has("github-token")) return [];
	const missing = [
		["actions", "write"],
		["checks", "read"],
		["pull-requests", "write"]
	].filter(([name = "", level = ""]) => levelOf(granted, name) < LEVELS.indexOf(level));
	if (missing.length === 0) return [];
	const names = listed(missing.map(([name, level]) => `\`${name}: ${level}\``));
	const text = `The job ${code(job.id)} (${code(workflow.path)}) does not grant ${names}.`;
	return [row_error(triage_rows_CHECK, text, triage_rows_MAINTAINER, `Add ${names} to its \`permissions\`.`)];
}
function levelOf(granted, name) {
	if (typeof granted === "string") return LEVELS.indexOf(granted.replace(/-all$/, ""));
	return LEVELS.indexOf(textOf(workflow_membersOf(granted).get(name)) ?? "none");
}
function commentRows(gate, { workflow }) {
	const sweeps = ["schedule", "workflow_dispatch"].some((event) => workflow.events.has(event));
	const steps = decidingJobs(gate).flatMap(({ check }) => check.steps);
	const isSilent = steps.every(({ inputs }) => textOf(inputs.get("comment")) === "never");
	if (!sweeps || steps.length === 0 || !isSilent) return [];
	const text = `The sweep of ${code(workflow.path)} re-runs nothing, because the gate has \`comment: never\`.`;
	return [row_warning(triage_rows_CHECK, text, triage_rows_MAINTAINER, "Set `comment` of the gate to `on-findings`.")];
}
function jobNameRows(gate, { workflow, step }) {
	const jobs = decidingJobs(gate);
	const given = textOf(step.inputs.get("job-name"));
	if (jobs.length === 0 || given?.includes("${{")) return [];
	const names = jobs.flatMap(({ check }) => check.names ?? []);
	const fix = `Set \`job-name\` to the name that pull requests show${names.length === 0 ? "" : `, such as ${code(names[0] ?? "")}`}.`;
	if (given === void 0) {
		if (!jobs.some(({ check }) => check.chain.length > 1 || check.chain[0].workflow.jobs.length > 1)) return [];
		const text = `The workflow of the gate has other jobs, and ${code(workflow.path)} does not set \`job-name\`. It re-runs nothing.`;
		return [row_error(triage_rows_CHECK, text, triage_rows_MAINTAINER, fix)];
	}
	if (jobs.some(({ check }) => check.names === void 0) || names.includes(given)) return [];
	const text = `\`job-name\` in ${code(workflow.path)} is ${code(given)}, and no job of the gate has that name.`;
	return [row_error(triage_rows_CHECK, text, triage_rows_MAINTAINER, fix)];
}
function diagnose(facts) {
	const { reading, repository, proxy, service, github, now } = facts;
	const { connection, setup, publish } = reading.inputs;
	const { headSha, isPublic } = repository;
	const parameters = readLaunchParameters(setup.launchParameters);
	const wanted = wantedRepository(facts);
	const question = {
		ref: wire_writes_sentValue(parameters, "presetRef", setup.preset),
		creditBudget: wire_writes_sentValue(parameters, "creditBudget", setup.creditBudget)
	};
	const found = foundRepository(facts);
	const chosen = chosenPreset(service, question);
	const base = planBase(headSha, setup.baseSha, parameters);
	return [
		...inputRows(reading, parameters, headSha, facts.isCommandLine),
		...addressRows(connection.baseUrl, proxy, service),
		...tokenRows(service, {
			willPublish: publish.when !== "never",
			budget: chosen?.creditBudget,
			repository: found,
			isPublic,
			now
		}),
		...repositoryRows(service, found, wanted),
		...presetRows(service, question),
		...assumptionRows(service, isPublic),
		...guidanceRows(facts.guidance),
		launchRow(found?.ok ? found.value : void 0, chosen, base.ok ? base.value : setup.baseSha, parameters, guidanceText(facts.guidance)),
		...githubRows(github, facts.isCommandLine),
		...gateRows(facts)
	];
}
function gateRows({ github, repository, reading }) {
	const gate = github === void 0 ? void 0 : gate_gateOf(github, repository);
	if (github === void 0 || gate === void 0) return [unknownRequirement(github)];
	const { checkName } = reading.inputs.delivery;
	const app = github.jobApps?.get(checkName);
	return [
		...requiredRows(gate, checkName, app?.ok ? app.value : void 0),
		...sourceRows(gate, github, repository.serverUrl),
		...gateJobRows(gate, repository.serverUrl),
		...policyRows(gate, github),
		...sameNameRows(gate),
		...queueRows(gate, github),
		...requiredWorkflowRows(gate),
		...forkRows(gate, github, repository.serverUrl),
		...triageRows(gate, github)
	];
}
function foundRepository(facts) {
	const list = facts.service?.lists?.repositories;
	return list?.ok ? findRepository(list.value, wantedRepository(facts)) : void 0;
}
function wantedRepository({ reading, repository }) {
	const { owner, name, serverUrl } = repository;
	const { repositoryId, launchParameters } = reading.inputs.setup;
	return {
		repositoryId: wire_writes_sentValue(readLaunchParameters(launchParameters), "repositoryId", repositoryId),
		owner,
		name,
		serverUrl
	};
}
function isReady(rows) {
	return diagnose_countOf(rows, "error") === 0;
}
function diagnose_countOf(rows, wanted) {
	return rows.filter(({ level }) => level === wanted).length;
}
const SIGNS = {
	ok: "\u2713",
	warning: "warning",
	error: "error",
	skipped: "\u2013"
};
const diagnose_MARKS = {
	ok: markdown_md`\u2713`,
	warning: markdown_md`\u26a0\ufe0f&nbsp;warning`,
	error: markdown_md`\u274c&nbsp;error`,
	skipped: markdown_md`\u2013`
};
const NO_CHARGE = "The doctor only reads. It launched no scan, used no credits and changed nothing.";
const LONGEST_TEXT = 2e3;
const CAVEATS = [
	[
		"unasked",
		"Ready, as far as the service goes",
		" GitHub was not checked."
	],
	[
		"skipped",
		"Ready only if the job of the gate always runs",
		" GitHub counts a skipped job as passed."
	],
	[
		"policy",
		"Ready, but the policy lets changes pass",
		""
	]
];
function describeTable(rows) {
	const errors = countOf(diagnose_countOf(rows, "error"), "error");
	const warnings = countOf(diagnose_countOf(rows, "warning"), "warning");
	const [, start, end] = caveatOf(rows) ?? [
		"",
		"Ready",
		""
	];
	return isReady(rows) ? `${start}: ${errors}, ${warnings}.${end}` : `Not ready: ${errors}, ${warnings}.`;
}
function headSign(rows) {
	if (!isReady(rows)) return markdown_md`\u274c`;
	return caveatOf(rows) === void 0 ? markdown_md`\u2705` : markdown_md`\u26a0\ufe0f`;
}
function caveatOf(rows) {
	return CAVEATS.find(([caveat]) => rows.some((row) => row.caveat === caveat));
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
		markdown_md`## ${headSign(rows)} ${describeTable(rows)}`,
		markdown_md``,
		markdown_md`| | Check | Result | Who can fix it |`,
		markdown_md`| --- | --- | --- | --- |`,
		...rows.map(shortened).map(rowLine),
		markdown_md``,
		markdown_md`${NO_CHARGE}`
	].map(markdown_toText).join("\n")}\n`;
}
function shortened({ fix, text, ...row }) {
	const shown = {
		...row,
		text: foreignLine(text, LONGEST_TEXT)
	};
	return fix === void 0 ? shown : {
		...shown,
		fix: {
			...fix,
			what: foreignLine(fix.what, LONGEST_TEXT)
		}
	};
}
function rowLine({ check, level, text, fix }) {
	const who = fix === void 0 ? markdown_NOTHING : markdown_join([markdown_md`**${fix.who}**`, renderCodeSpans(fix.what)], markdown_LINE_BREAK);
	return markdown_md`| ${diagnose_MARKS[level]} | ${check} | ${renderCodeSpans(text)} | ${who} |`;
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
const MergeBaseAnswer = object({ merge_base_commit: optional(object({
	sha: schemas_CommitId,
	commit: fallback(optional(object({ tree: schemas_ShaOf })), void 0)
})) });
const compare_operation = "read GitHub's comparison of base and head";
const compare_permission = "contents: read";
const COMPARE = "GET /repos/{owner}/{repo}/compare/{basehead}";
async function mergeBaseByCompare(github, { base, head }) {
	for (const page of [2, 1]) {
		const answer = await octokit_read(github, {
			operation: compare_operation,
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
				operation: compare_operation,
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
const repository_StatusChecks = object({
	contexts: array(string()),
	checks: fallback(array(object({
		context: string(),
		app_id: fallback(nullish(pipe(number(), minValue(0))), void 0)
	})), [])
});
const repository_Repository = pipe(object({
	id: fallback(optional(number()), void 0),
	default_branch: pipe(string(), minLength(1)),
	private: fallback(dist_boolean(), true)
}), transform(({ id, default_branch: defaultBranch, private: isPrivate }) => {
	return {
		id,
		defaultBranch,
		isPublic: !isPrivate
	};
}));
function readRepository(github) {
	return octokit_read(github, {
		operation: "read the repository",
		permission: "contents: read",
		route: "GET /repos/{owner}/{repo}",
		answer: repository_Repository
	});
}
function readLanguages(github) {
	return octokit_read(github, {
		operation: "read the languages of the repository",
		permission: "metadata: read",
		route: "GET /repos/{owner}/{repo}/languages",
		answer: pipe(record(string(), number()), transform(Object.keys))
	});
}
const Branch = pipe(object({
	commit: object({ sha: schemas_CommitId }),
	protected: fallback(dist_boolean(), false),
	protection: fallback(optional(object({ required_status_checks: repository_StatusChecks })), void 0)
}), transform(({ commit, protected: isProtected, protection }) => {
	const checks = protection?.required_status_checks;
	const appOf = (name) => checks?.checks.find(({ context }) => context === name)?.app_id;
	return {
		sha: commit.sha,
		isProtected,
		requiredChecks: checks?.contexts.map((name) => {
			return {
				name,
				appId: appOf(name) ?? void 0
			};
		})
	};
}));
function readProtectedBranch(github, branch) {
	return octokit_read(github, {
		operation: "read the default branch",
		permission: "contents: read",
		route: "GET /repos/{owner}/{repo}/branches/{branch}",
		parameters: { branch },
		answer: Branch
	});
}
const repository_Rules = object({
	protection_rules: fallback(array(object({
		type: string(),
		reviewers: fallback(array(unknown()), [])
	})), []),
	deployment_branch_policy: fallback(nullish(object({ custom_branch_policies: fallback(dist_boolean(), false) })), void 0)
});
const Patterns = pipe(object({ branch_policies: array(object({ name: string() })) }), transform(({ branch_policies: policies }) => policies.map(({ name }) => name)));
async function readEnvironmentRules(github, name) {
	const common = {
		permission: "actions: read",
		parameters: { environment_name: name }
	};
	const route = "GET /repos/{owner}/{repo}/environments/{environment_name}";
	const shown = await octokit_read(github, {
		...common,
		operation: "read the environment",
		route,
		answer: repository_Rules,
		absent: result_ok(void 0)
	});
	if (!shown.ok) return shown;
	if (shown.value === void 0) return result_ok(void 0);
	const { protection_rules: rules, deployment_branch_policy: policy } = shown.value;
	const hasReviewers = rules.some(({ type, reviewers }) => type === "required_reviewers" && reviewers.length > 0);
	if (policy?.custom_branch_policies !== true) return result_ok({
		hasReviewers,
		branches: policy === void 0 || policy === null ? "all" : "protected"
	});
	const patterns = await octokit_read(github, {
		...common,
		parameters: {
			...common.parameters,
			per_page: 100
		},
		operation: "read the branches of the environment",
		route: `${route}/deployment-branch-policies`,
		answer: Patterns
	});
	return patterns.ok ? result_ok({
		hasReviewers,
		branches: patterns.value
	}) : patterns;
}
const MOST_FILES = 30;
const workflows_FOLDER = ".github/workflows";
const LIKELY = /scangate|secur|scan/i;
const Listing = array(object({
	type: string(),
	path: string()
}));
async function readWorkflowFiles(github, ref) {
	const common = {
		operation: "read the workflows",
		permission: "contents: read",
		route: "GET /repos/{owner}/{repo}/contents/{path}"
	};
	const listing = await octokit_read(github, {
		...common,
		parameters: {
			path: workflows_FOLDER,
			ref
		},
		answer: Listing,
		absent: result_ok([])
	});
	if (!listing.ok) return listing;
	const paths = listing.value.filter(({ type, path }) => type === "file" && /\.ya?ml$/.test(path)).map(({ path }) => path).sort((a, b) => Number(LIKELY.test(b)) - Number(LIKELY.test(a)));
	const files = [];
	const found = await Promise.all(paths.slice(0, MOST_FILES).map((path) => octokit_read(github, {
		...common,
		parameters: {
			path,
			ref
		},
		answer: workflows_textOf(path)
	})));
	for (const file of found) {
		if (!file.ok) return file;
		files.push(file.value);
	}
	return result_ok({
		files,
		complete: files.length === paths.length
	});
}
function readForeignWorkflow(github, { repositoryId, path, ref }) {
	return octokit_read(github, {
		operation: "read the required workflow",
		permission: "contents: read",
		route: "GET /repositories/{id}/contents/{path}",
		parameters: {
			id: repositoryId,
			path,
			...ref === void 0 ? {} : { ref }
		},
		answer: workflows_textOf(path)
	});
}
function workflows_textOf(path) {
	return pipe(Content, transform((bytes) => ({
		path,
		text: bytes.toString("utf8")
	})));
}
const workflows_permission = "actions: read";
const Runs = object({ workflow_runs: array(object({
	id: number(),
	head_sha: string(),
	conclusion: nullish(string())
})) });
const Jobs = object({ jobs: array(object({ steps: nullish(array(unknown()), []) })) });
const workflows_CheckRuns = object({ check_runs: array(object({
	id: number(),
	app: nullish(object({ id: number() }))
})) });
const MOST_RUNS = 5;
async function hasRunSince(github, run) {
	const runs = await newestRuns(github, run, MOST_RUNS);
	if (!runs.ok) return runs;
	for (const { id } of runs.value) {
		const jobs = await octokit_read(github, {
			operation: "list the jobs of the workflow run",
			permission: workflows_permission,
			route: "GET /repos/{owner}/{repo}/actions/runs/{run_id}/jobs",
			parameters: {
				run_id: id,
				per_page: 100
			},
			answer: Jobs
		});
		if (!jobs.ok) return jobs;
		if (jobs.value.jobs.some(({ steps }) => steps !== null && steps.length > 0)) return result_ok(true);
	}
	return result_ok(false);
}
async function appOfCheck(github, { name, ...run }) {
	const runs = await newestRuns(github, run, 1);
	if (!runs.ok) return runs;
	const [newest] = runs.value;
	if (newest === void 0) return result_ok(void 0);
	const checks = await octokit_read(github, {
		operation: "list the check runs",
		permission: "checks: read",
		route: "GET /repos/{owner}/{repo}/commits/{ref}/check-runs",
		parameters: {
			ref: newest.head_sha,
			check_name: name,
			per_page: 100
		},
		answer: workflows_CheckRuns
	});
	return checks.ok ? result_ok(checks.value.check_runs.toSorted((a, b) => b.id - a.id)[0]?.app?.id) : checks;
}
async function newestRuns(github, { path, event, since }, most) {
	const answer = await octokit_read(github, {
		operation: "list the workflow runs",
		permission: workflows_permission,
		route: "GET /repos/{owner}/{repo}/actions/workflows/{workflow_id}/runs",
		parameters: {
			workflow_id: path.split("/").at(-1) ?? path,
			event,
			per_page: most,
			...since === void 0 ? {} : { created: `>=${since}` }
		},
		answer: Runs,
		absent: result_ok({ workflow_runs: [] })
	});
	return answer.ok ? result_ok(answer.value.workflow_runs) : answer;
}
async function readGitHub(github, { headSha, ...asked }) {
	const repository = await readRepository(github);
	if (!repository.ok) return { defaultBranch: repository };
	const name = repository.value.defaultBranch;
	const defaultBranch = result_ok(name);
	const [branch, rules] = await Promise.all([readProtectedBranch(github, name), readBranchRules(github, name)]);
	const start = {
		defaultBranch,
		branch,
		rules,
		repository: repository.value
	};
	if (!branch.ok) return start;
	const base = branch.value.sha;
	const [comparison, checkRuns, workflows, queue, foreign] = await Promise.all([
		mergeBaseByCompare(github, {
			base,
			head: headSha || base
		}),
		listCheckRuns(github, base, asked.checkName),
		readWorkflowFiles(github, base),
		branch.value.isProtected ? readMergeQueue(github, name, rules) : result_ok("none"),
		readForeign(github, rules, repository.value)
	]);
	const facts = {
		...start,
		comparison,
		checkRuns,
		workflows,
		queue,
		foreign
	};
	return {
		...facts,
		...await readWhatFollows(github, facts, asked)
	};
}
function readForeign(github, rules, own) {
	const wanted = rules.ok ? requiredWorkflows(rules.value.rules) : [];
	return Promise.all(wanted.filter((workflow) => gate_isForeign(workflow, own)).map(async (workflow) => ({
		workflow,
		file: await readForeignWorkflow(github, workflow)
	})));
}
async function readWhatFollows(github, facts, { checkName, serverUrl, now }) {
	const gate = gate_gateOf(facts, {
		owner: github.owner,
		name: github.repo
	});
	if (gate === void 0) return {};
	const target = mayBeBlocked(gate, facts, serverUrl) ? targetWorkflow(gate) : void 0;
	const [targetRuns, environments, jobApps, languages] = await Promise.all([
		target === void 0 ? void 0 : hasRunSince(github, {
			path: target,
			event: "pull_request_target",
			since: daysAgo(now, RECENT_DAYS)
		}),
		Promise.all([...new Set([...environmentsOf(gate), ...tokenEnvironmentsOf(gate)])].map(async (name) => [name, await readEnvironmentRules(github, name)])),
		Promise.all(checksOfUnknownApp(gate, checkName, serverUrl).map(async ({ name, ...run }) => {
			return [name, await appOfCheck(github, {
				name,
				...run
			})];
		})),
		namesPaths(gate) ? readLanguages(github) : void 0
	]);
	return {
		targetRuns,
		environments: new Map(environments),
		jobApps: new Map(jobApps),
		languages
	};
}
function daysAgo(now, days) {
	return new Date(now.getTime() - days * 24 * 60 * 6e4).toISOString().slice(0, 10);
}
async function readService(api, given, signal) {
	const token = await api.token({ signal });
	const projectId = token.ok || given !== void 0 ? chooseProject(given, token.ok ? token.value : void 0) : void 0;
	if (!token.ok && isAboutAll(token.error) || projectId === void 0 || !projectId.ok) return {
		token,
		projectId,
		lists: void 0,
		scan: void 0,
		findings: void 0
	};
	const id = projectId.value;
	const [lists, sampled] = await Promise.all([readLists(api, id, signal), api.sampleFindings(id, { signal })]);
	const sample = lists.scans.ok ? reads_sampleOf(lists.scans.value) : void 0;
	return {
		token,
		projectId,
		lists,
		scan: sample === void 0 ? void 0 : await api.readScan(id, sample, { signal }),
		findings: sampled.ok ? result_ok(sampled.value.map(findingFacts)) : sampled
	};
}
function findingFacts({ id, title, location, severity }) {
	return {
		hasId: id !== void 0,
		hasTitle: title !== UNTITLED,
		hasPlace: location !== void 0,
		severity
	};
}
function isAboutAll(error) {
	return error.kind !== "refused" || error.status === 401;
}
function reads_sampleOf({ scans }) {
	const rank = ({ status, baseSha }) => Number(status === "COMPLETED") + 2 * Number(baseSha !== void 0);
	return scans.filter(({ id }) => id !== void 0).toSorted((a, b) => rank(b) - rank(a))[0]?.id;
}
async function readGuidance(service, github, facts, signal) {
	const path = facts.reading.inputs.setup.guidanceFile;
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
const LONGEST_MS = 3e5;
async function runDoctor(deps) {
	return deliverTable(deps, diagnose(await readFacts(deps)));
}
async function readFacts(deps) {
	const { clock, environment, isPublic, reading, proxy } = deps;
	const { owner, repo: name, serverUrl, sha: headSha } = environment;
	const { connection, delivery } = reading.inputs;
	const { baseUrl, apiToken, githubToken, projectId } = connection;
	const { checkName } = delivery;
	const now = clock.date();
	const limit = new AbortController();
	const deadline = clock.timeout(LONGEST_MS);
	const endsAt = clock.now() + LONGEST_MS;
	deadline.signal.addEventListener("abort", () => limit.abort(new result_Stop("timeout")), { once: true });
	const signal = AbortSignal.any([deps.signal, limit.signal]);
	const mayConnect = proxy.fault === void 0;
	const service = mayConnect && baseUrl !== "" && apiToken !== "" ? connectService(deps, connection, {
		showMessages: async () => !isPublic,
		leftMs: () => endsAt - clock.now()
	}) : void 0;
	const github = mayConnect && githubToken !== "" ? connectGitHub(deps, connection, environment) : void 0;
	const [serviceFacts, githubFacts] = await Promise.all([service && readService(service, projectId, signal), github && readGitHub(github.until(signal), {
		headSha,
		checkName,
		serverUrl,
		now
	})]);
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
		now,
		isCommandLine: deps.isCommandLine
	};
	const guidance = await readGuidance(service, github, facts, signal);
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
		problems: diagnose_countOf(rows, "error")
	});
	if (ready) log.info(describeTable(rows));
	else log.error(describeTable(rows), problemLines(rows));
	return ready ? 0 : 1;
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
const LONGEST_CHECK_NAME = 100;
const LONGEST_NOTE = 500;
const SHORTEST_SECRET = 8;
function readConnection(reader) {
	const { raw, text, faultOf } = reader;
	const given = {
		api: raw("api-token"),
		github: raw("github-token")
	};
	const apiToken = inputs_usableToken(reader, "api-token", given.api);
	const githubToken = inputs_usableToken(reader, "github-token", given.github);
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
function inputs_usableToken({ mask, faultOf }, name, token) {
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
		severityThreshold: word("severity-threshold", SEVERITY_LEVELS),
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
async function main({ deadlines, ...step }) {
	const places = {
		log: step.log,
		writeSummary: writeJobSummary,
		writeOutputs: writeDoctorOutputs
	};
	const reading = readInputs(process.env["GITHUB_WORKSPACE"] || process.cwd());
	const proxy = {
		fault: proxy_useProxy(process.env, reading.inputs.connection.baseUrl),
		variable: proxyVariable(process.env)
	};
	const environment = environment_readEnvironment(process.env);
	if (!environment.ok) return deliverTable(places, [errorOf("Inputs", environment.error, "Workflow maintainer")]);
	const payload = event_readPayload(environment.value.eventPath);
	return runDoctor({
		...step,
		...places,
		signal: deadlines.work,
		environment: environment.value,
		isPublic: !payload.ok || isPublicRepository(payload.value),
		reading,
		proxy,
		isCommandLine: false
	});
}
function failUnexpectedly(what, log) {
	log.error(`Not ready: unexpected error (${what}). Please open an issue in the Scangate repository.`);
	try {
		writeDoctorOutputs({
			ready: false,
			problems: 1
		});
	} catch {}
}
runStepProcess(main, failUnexpectedly);
export {};
