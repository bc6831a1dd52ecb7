import * as os from "os";
import { EOL } from "os";
import * as crypto from "crypto";
import * as fs from "fs";
import { constants, promises } from "fs";
import * as path$1 from "path";
import * as events from "events";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { createHash, createHmac, randomUUID } from "node:crypto";
import { StringDecoder } from "string_decoder";
import * as child from "child_process";
import { setTimeout as setTimeout$1 } from "timers";
import { mkdir, mkdtemp, open, readFile, realpath, rm } from "node:fs/promises";
import path, { join } from "node:path";
import { constants as constants$1 } from "node:fs";
import { devNull, tmpdir } from "node:os";
import { ChildProcess } from "node:child_process";

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

// node_modules/@actions/core/lib/file-command.js
function issueFileCommand(command, message) {
	const filePath = process.env[`GITHUB_${command}`];
	if (!filePath) throw new Error(`Unable to find environment variable for file command ${command}`);
	if (!fs.existsSync(filePath)) throw new Error(`Missing file at path: ${filePath}`);
	fs.appendFileSync(filePath, `${toCommandValue(message)}${os.EOL}`, { encoding: "utf8" });
}
function prepareKeyValueMessage(key, value) {
	const delimiter = `ghadelimiter_${crypto.randomUUID()}`;
	const convertedValue = toCommandValue(value);
	if (key.includes(delimiter)) throw new Error(`Unexpected input: name should not contain the delimiter "${delimiter}"`);
	if (convertedValue.includes(delimiter)) throw new Error(`Unexpected input: value should not contain the delimiter "${delimiter}"`);
	return `${key}<<${delimiter}${os.EOL}${convertedValue}${os.EOL}${delimiter}`;
}

// node_modules/@actions/core/lib/summary.js
var __awaiter$5 = void 0 && (void 0).__awaiter || function(thisArg, _arguments, P, generator) {
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
const { access, appendFile, writeFile } = promises;
const SUMMARY_ENV_VAR = "GITHUB_STEP_SUMMARY";
var Summary = class {
	constructor() {
		this._buffer = "";
	}
	/**
	* Finds the summary file path from the environment, rejects if env var is not found or file does not exist
	* Also checks r/w permissions.
	*
	* @returns step summary file path
	*/
	filePath() {
		return __awaiter$5(this, void 0, void 0, function* () {
			if (this._filePath) return this._filePath;
			const pathFromEnv = process.env[SUMMARY_ENV_VAR];
			if (!pathFromEnv) throw new Error(`Unable to find environment variable for $${SUMMARY_ENV_VAR}. Check if your runtime environment supports job summaries.`);
			try {
				yield access(pathFromEnv, constants.R_OK | constants.W_OK);
			} catch (_a) {
				throw new Error(`Unable to access summary file: '${pathFromEnv}'. Check if the file has correct read/write permissions.`);
			}
			this._filePath = pathFromEnv;
			return this._filePath;
		});
	}
	/**
	* Wraps content in an HTML tag, adding any HTML attributes
	*
	* @param {string} tag HTML tag to wrap
	* @param {string | null} content content within the tag
	* @param {[attribute: string]: string} attrs key-value list of HTML attributes to add
	*
	* @returns {string} content wrapped in HTML element
	*/
	wrap(tag, content, attrs = {}) {
		const htmlAttrs = Object.entries(attrs).map(([key, value]) => ` ${key}="${value}"`).join("");
		if (!content) return `<${tag}${htmlAttrs}>`;
		return `<${tag}${htmlAttrs}>${content}</${tag}>`;
	}
	/**
	* Writes text in the buffer to the summary buffer file and empties buffer. Will append by default.
	*
	* @param {SummaryWriteOptions} [options] (optional) options for write operation
	*
	* @returns {Promise<Summary>} summary instance
	*/
	write(options) {
		return __awaiter$5(this, void 0, void 0, function* () {
			const overwrite = !!(options === null || options === void 0 ? void 0 : options.overwrite);
			const filePath = yield this.filePath();
			yield (overwrite ? writeFile : appendFile)(filePath, this._buffer, { encoding: "utf8" });
			return this.emptyBuffer();
		});
	}
	/**
	* Clears the summary buffer and wipes the summary file
	*
	* @returns {Summary} summary instance
	*/
	clear() {
		return __awaiter$5(this, void 0, void 0, function* () {
			return this.emptyBuffer().write({ overwrite: true });
		});
	}
	/**
	* Returns the current summary buffer as a string
	*
	* @returns {string} string of summary buffer
	*/
	stringify() {
		return this._buffer;
	}
	/**
	* If the summary buffer is empty
	*
	* @returns {boolen} true if the buffer is empty
	*/
	isEmptyBuffer() {
		return this._buffer.length === 0;
	}
	/**
	* Resets the summary buffer without writing to summary file
	*
	* @returns {Summary} summary instance
	*/
	emptyBuffer() {
		this._buffer = "";
		return this;
	}
	/**
	* Adds raw text to the summary buffer
	*
	* @param {string} text content to add
	* @param {boolean} [addEOL=false] (optional) append an EOL to the raw text (default: false)
	*
	* @returns {Summary} summary instance
	*/
	addRaw(text, addEOL = false) {
		this._buffer += text;
		return addEOL ? this.addEOL() : this;
	}
	/**
	* Adds the operating system-specific end-of-line marker to the buffer
	*
	* @returns {Summary} summary instance
	*/
	addEOL() {
		return this.addRaw(EOL);
	}
	/**
	* Adds an HTML codeblock to the summary buffer
	*
	* @param {string} code content to render within fenced code block
	* @param {string} lang (optional) language to syntax highlight code
	*
	* @returns {Summary} summary instance
	*/
	addCodeBlock(code, lang) {
		const attrs = Object.assign({}, lang && { lang });
		const element = this.wrap("pre", this.wrap("code", code), attrs);
		return this.addRaw(element).addEOL();
	}
	/**
	* Adds an HTML list to the summary buffer
	*
	* @param {string[]} items list of items to render
	* @param {boolean} [ordered=false] (optional) if the rendered list should be ordered or not (default: false)
	*
	* @returns {Summary} summary instance
	*/
	addList(items, ordered = false) {
		const tag = ordered ? "ol" : "ul";
		const listItems = items.map((item) => this.wrap("li", item)).join("");
		const element = this.wrap(tag, listItems);
		return this.addRaw(element).addEOL();
	}
	/**
	* Adds an HTML table to the summary buffer
	*
	* @param {SummaryTableCell[]} rows table rows
	*
	* @returns {Summary} summary instance
	*/
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
	/**
	* Adds a collapsable HTML details element to the summary buffer
	*
	* @param {string} label text for the closed state
	* @param {string} content collapsable content
	*
	* @returns {Summary} summary instance
	*/
	addDetails(label, content) {
		const element = this.wrap("details", this.wrap("summary", label) + content);
		return this.addRaw(element).addEOL();
	}
	/**
	* Adds an HTML image tag to the summary buffer
	*
	* @param {string} src path to the image you to embed
	* @param {string} alt text description of the image
	* @param {SummaryImageOptions} options (optional) addition image attributes
	*
	* @returns {Summary} summary instance
	*/
	addImage(src, alt, options) {
		const { width, height } = options || {};
		const attrs = Object.assign(Object.assign({}, width && { width }), height && { height });
		const element = this.wrap("img", null, Object.assign({
			src,
			alt
		}, attrs));
		return this.addRaw(element).addEOL();
	}
	/**
	* Adds an HTML section heading element
	*
	* @param {string} text heading text
	* @param {number | string} [level=1] (optional) the heading level, default: 1
	*
	* @returns {Summary} summary instance
	*/
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
	/**
	* Adds an HTML thematic break (<hr>) to the summary buffer
	*
	* @returns {Summary} summary instance
	*/
	addSeparator() {
		const element = this.wrap("hr", null);
		return this.addRaw(element).addEOL();
	}
	/**
	* Adds an HTML line break (<br>) to the summary buffer
	*
	* @returns {Summary} summary instance
	*/
	addBreak() {
		const element = this.wrap("br", null);
		return this.addRaw(element).addEOL();
	}
	/**
	* Adds an HTML blockquote to the summary buffer
	*
	* @param {string} text quote text
	* @param {string} cite (optional) citation url
	*
	* @returns {Summary} summary instance
	*/
	addQuote(text, cite) {
		const attrs = Object.assign({}, cite && { cite });
		const element = this.wrap("blockquote", text, attrs);
		return this.addRaw(element).addEOL();
	}
	/**
	* Adds an HTML anchor tag to the summary buffer
	*
	* @param {string} text link text/content
	* @param {string} href hyperlink
	*
	* @returns {Summary} summary instance
	*/
	addLink(text, href) {
		const element = this.wrap("a", text, { href });
		return this.addRaw(element).addEOL();
	}
};
const _summary = new Summary();
const summary = _summary;

// node_modules/@actions/io/lib/io-util.js
var __awaiter$4 = void 0 && (void 0).__awaiter || function(thisArg, _arguments, P, generator) {
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
const { chmod, copyFile, lstat, mkdir: mkdir$1, open: open$1, readdir, rename, rm: rm$1, rmdir, stat, symlink, unlink } = fs.promises;
const IS_WINDOWS$1 = process.platform === "win32";
const READONLY = fs.constants.O_RDONLY;
function exists(fsPath) {
	return __awaiter$4(this, void 0, void 0, function* () {
		try {
			yield stat(fsPath);
		} catch (err) {
			if (err.code === "ENOENT") return false;
			throw err;
		}
		return true;
	});
}
/**
* On OSX/Linux, true if path starts with '/'. On Windows, true for paths like:
* \, \hello, \\hello\share, C:, and C:\hello (and corresponding alternate separator cases).
*/
function isRooted(p) {
	p = normalizeSeparators(p);
	if (!p) throw new Error("isRooted() parameter \"p\" cannot be empty");
	if (IS_WINDOWS$1) return p.startsWith("\\") || /^[A-Z]:/i.test(p);
	return p.startsWith("/");
}
/**
* Best effort attempt to determine whether a file exists and is executable.
* @param filePath    file path to check
* @param extensions  additional file extensions to try
* @return if file exists and is executable, returns the file path. otherwise empty string.
*/
function tryGetExecutablePath(filePath, extensions) {
	return __awaiter$4(this, void 0, void 0, function* () {
		let stats = void 0;
		try {
			stats = yield stat(filePath);
		} catch (err) {
			if (err.code !== "ENOENT") console.log(`Unexpected error attempting to determine if executable file exists '${filePath}': ${err}`);
		}
		if (stats && stats.isFile()) {
			if (IS_WINDOWS$1) {
				const upperExt = path$1.extname(filePath).toUpperCase();
				if (extensions.some((validExt) => validExt.toUpperCase() === upperExt)) return filePath;
			} else if (isUnixExecutable(stats)) return filePath;
		}
		const originalFilePath = filePath;
		for (const extension of extensions) {
			filePath = originalFilePath + extension;
			stats = void 0;
			try {
				stats = yield stat(filePath);
			} catch (err) {
				if (err.code !== "ENOENT") console.log(`Unexpected error attempting to determine if executable file exists '${filePath}': ${err}`);
			}
			if (stats && stats.isFile()) {
				if (IS_WINDOWS$1) {
					try {
						const directory = path$1.dirname(filePath);
						const upperName = path$1.basename(filePath).toUpperCase();
						for (const actualName of yield readdir(directory)) if (upperName === actualName.toUpperCase()) {
							filePath = path$1.join(directory, actualName);
							break;
						}
					} catch (err) {
						console.log(`Unexpected error attempting to determine the actual case of the file '${filePath}': ${err}`);
					}
					return filePath;
				} else if (isUnixExecutable(stats)) return filePath;
			}
		}
		return "";
	});
}
function normalizeSeparators(p) {
	p = p || "";
	if (IS_WINDOWS$1) {
		p = p.replace(/\//g, "\\");
		return p.replace(/\\\\+/g, "\\");
	}
	return p.replace(/\/\/+/g, "/");
}
function isUnixExecutable(stats) {
	return (stats.mode & 1) > 0 || (stats.mode & 8) > 0 && process.getgid !== void 0 && stats.gid === process.getgid() || (stats.mode & 64) > 0 && process.getuid !== void 0 && stats.uid === process.getuid();
}

// node_modules/@actions/io/lib/io.js
var __awaiter$3 = void 0 && (void 0).__awaiter || function(thisArg, _arguments, P, generator) {
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
* Returns path of a tool had the tool actually been invoked.  Resolves via paths.
* If you check and the tool does not exist, it will throw.
*
* @param     tool              name of the tool
* @param     check             whether to check if tool exists
* @returns   Promise<string>   path to tool
*/
function which(tool, check) {
	return __awaiter$3(this, void 0, void 0, function* () {
		if (!tool) throw new Error("parameter 'tool' is required");
		if (check) {
			const result = yield which(tool, false);
			if (!result) {
				if (IS_WINDOWS$1) throw new Error(`Unable to locate executable file: ${tool}. Please verify either the file path exists or the file can be found within a directory specified by the PATH environment variable. Also verify the file has a valid extension for an executable file.`);
				else throw new Error(`Unable to locate executable file: ${tool}. Please verify either the file path exists or the file can be found within a directory specified by the PATH environment variable. Also check the file mode to verify the file is executable.`);
			}
			return result;
		}
		const matches = yield findInPath(tool);
		if (matches && matches.length > 0) return matches[0];
		return "";
	});
}
/**
* Returns a list of all occurrences of the given tool on the system path.
*
* @returns   Promise<string[]>  the paths of the tool
*/
function findInPath(tool) {
	return __awaiter$3(this, void 0, void 0, function* () {
		if (!tool) throw new Error("parameter 'tool' is required");
		const extensions = [];
		if (IS_WINDOWS$1 && process.env["PATHEXT"]) {
			for (const extension of process.env["PATHEXT"].split(path$1.delimiter)) if (extension) extensions.push(extension);
		}
		if (isRooted(tool)) {
			const filePath = yield tryGetExecutablePath(tool, extensions);
			if (filePath) return [filePath];
			return [];
		}
		if (tool.includes(path$1.sep)) return [];
		const directories = [];
		if (process.env.PATH) {
			for (const p of process.env.PATH.split(path$1.delimiter)) if (p) directories.push(p);
		}
		const matches = [];
		for (const directory of directories) {
			const filePath = yield tryGetExecutablePath(path$1.join(directory, tool), extensions);
			if (filePath) matches.push(filePath);
		}
		return matches;
	});
}

// node_modules/@actions/exec/lib/toolrunner.js
var __awaiter$2 = void 0 && (void 0).__awaiter || function(thisArg, _arguments, P, generator) {
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
const IS_WINDOWS = process.platform === "win32";
var ToolRunner = class extends events.EventEmitter {
	constructor(toolPath, args, options) {
		super();
		if (!toolPath) throw new Error("Parameter 'toolPath' cannot be null or empty.");
		this.toolPath = toolPath;
		this.args = args || [];
		this.options = options || {};
	}
	_debug(message) {
		if (this.options.listeners && this.options.listeners.debug) this.options.listeners.debug(message);
	}
	_getCommandString(options, noPrefix) {
		const toolPath = this._getSpawnFileName();
		const args = this._getSpawnArgs(options);
		let cmd = noPrefix ? "" : "[command]";
		if (IS_WINDOWS) {
			if (this._isCmdFile()) {
				cmd += toolPath;
				for (const a of args) cmd += ` ${a}`;
			} else if (options.windowsVerbatimArguments) {
				cmd += `"${toolPath}"`;
				for (const a of args) cmd += ` ${a}`;
			} else {
				cmd += this._windowsQuoteCmdArg(toolPath);
				for (const a of args) cmd += ` ${this._windowsQuoteCmdArg(a)}`;
			}
		} else {
			cmd += toolPath;
			for (const a of args) cmd += ` ${a}`;
		}
		return cmd;
	}
	_processLineBuffer(data, strBuffer, onLine) {
		try {
			let s = strBuffer + data.toString();
			let n = s.indexOf(os.EOL);
			while (n > -1) {
				onLine(s.substring(0, n));
				s = s.substring(n + os.EOL.length);
				n = s.indexOf(os.EOL);
			}
			return s;
		} catch (err) {
			this._debug(`error processing line. Failed with error ${err}`);
			return "";
		}
	}
	_getSpawnFileName() {
		if (IS_WINDOWS) {
			if (this._isCmdFile()) return process.env["COMSPEC"] || "cmd.exe";
		}
		return this.toolPath;
	}
	_getSpawnArgs(options) {
		if (IS_WINDOWS) {
			if (this._isCmdFile()) {
				let argline = `/D /S /C "${this._windowsQuoteCmdArg(this.toolPath)}`;
				for (const a of this.args) {
					argline += " ";
					argline += options.windowsVerbatimArguments ? a : this._windowsQuoteCmdArg(a);
				}
				argline += "\"";
				return [argline];
			}
		}
		return this.args;
	}
	_endsWith(str, end) {
		return str.endsWith(end);
	}
	_isCmdFile() {
		const upperToolPath = this.toolPath.toUpperCase();
		return this._endsWith(upperToolPath, ".CMD") || this._endsWith(upperToolPath, ".BAT");
	}
	_windowsQuoteCmdArg(arg) {
		if (!this._isCmdFile()) return this._uvQuoteCmdArg(arg);
		if (!arg) return "\"\"";
		const cmdSpecialChars = [
			" ",
			"	",
			"&",
			"(",
			")",
			"[",
			"]",
			"{",
			"}",
			"^",
			"=",
			";",
			"!",
			"'",
			"+",
			",",
			"`",
			"~",
			"|",
			"<",
			">",
			"\""
		];
		let needsQuotes = false;
		for (const char of arg) if (cmdSpecialChars.some((x) => x === char)) {
			needsQuotes = true;
			break;
		}
		if (!needsQuotes) return arg;
		let reverse = "\"";
		let quoteHit = true;
		for (let i = arg.length; i > 0; i--) {
			reverse += arg[i - 1];
			if (quoteHit && arg[i - 1] === "\\") reverse += "\\";
			else if (arg[i - 1] === "\"") {
				quoteHit = true;
				reverse += "\"";
			} else quoteHit = false;
		}
		reverse += "\"";
		return reverse.split("").reverse().join("");
	}
	_uvQuoteCmdArg(arg) {
		if (!arg) return "\"\"";
		if (!arg.includes(" ") && !arg.includes("	") && !arg.includes("\"")) return arg;
		if (!arg.includes("\"") && !arg.includes("\\")) return `"${arg}"`;
		let reverse = "\"";
		let quoteHit = true;
		for (let i = arg.length; i > 0; i--) {
			reverse += arg[i - 1];
			if (quoteHit && arg[i - 1] === "\\") reverse += "\\";
			else if (arg[i - 1] === "\"") {
				quoteHit = true;
				reverse += "\\";
			} else quoteHit = false;
		}
		reverse += "\"";
		return reverse.split("").reverse().join("");
	}
	_cloneExecOptions(options) {
		options = options || {};
		const result = {
			cwd: options.cwd || process.cwd(),
			env: options.env || process.env,
			silent: options.silent || false,
			windowsVerbatimArguments: options.windowsVerbatimArguments || false,
			failOnStdErr: options.failOnStdErr || false,
			ignoreReturnCode: options.ignoreReturnCode || false,
			delay: options.delay || 1e4
		};
		result.outStream = options.outStream || process.stdout;
		result.errStream = options.errStream || process.stderr;
		return result;
	}
	_getSpawnOptions(options, toolPath) {
		options = options || {};
		const result = {};
		result.cwd = options.cwd;
		result.env = options.env;
		result["windowsVerbatimArguments"] = options.windowsVerbatimArguments || this._isCmdFile();
		if (options.windowsVerbatimArguments) result.argv0 = `"${toolPath}"`;
		return result;
	}
	/**
	* Exec a tool.
	* Output will be streamed to the live console.
	* Returns promise with return code
	*
	* @param     tool     path to tool to exec
	* @param     options  optional exec options.  See ExecOptions
	* @returns   number
	*/
	exec() {
		return __awaiter$2(this, void 0, void 0, function* () {
			if (!isRooted(this.toolPath) && (this.toolPath.includes("/") || IS_WINDOWS && this.toolPath.includes("\\"))) this.toolPath = path$1.resolve(process.cwd(), this.options.cwd || process.cwd(), this.toolPath);
			this.toolPath = yield which(this.toolPath, true);
			return new Promise((resolve, reject) => __awaiter$2(this, void 0, void 0, function* () {
				this._debug(`exec tool: ${this.toolPath}`);
				this._debug("arguments:");
				for (const arg of this.args) this._debug(`   ${arg}`);
				const optionsNonNull = this._cloneExecOptions(this.options);
				if (!optionsNonNull.silent && optionsNonNull.outStream) optionsNonNull.outStream.write(this._getCommandString(optionsNonNull) + os.EOL);
				const state = new ExecState(optionsNonNull, this.toolPath);
				state.on("debug", (message) => {
					this._debug(message);
				});
				if (this.options.cwd && !(yield exists(this.options.cwd))) return reject(/* @__PURE__ */ new Error(`The cwd: ${this.options.cwd} does not exist!`));
				const fileName = this._getSpawnFileName();
				const cp = child.spawn(fileName, this._getSpawnArgs(optionsNonNull), this._getSpawnOptions(this.options, fileName));
				let stdbuffer = "";
				if (cp.stdout) cp.stdout.on("data", (data) => {
					if (this.options.listeners && this.options.listeners.stdout) this.options.listeners.stdout(data);
					if (!optionsNonNull.silent && optionsNonNull.outStream) optionsNonNull.outStream.write(data);
					stdbuffer = this._processLineBuffer(data, stdbuffer, (line) => {
						if (this.options.listeners && this.options.listeners.stdline) this.options.listeners.stdline(line);
					});
				});
				let errbuffer = "";
				if (cp.stderr) cp.stderr.on("data", (data) => {
					state.processStderr = true;
					if (this.options.listeners && this.options.listeners.stderr) this.options.listeners.stderr(data);
					if (!optionsNonNull.silent && optionsNonNull.errStream && optionsNonNull.outStream) (optionsNonNull.failOnStdErr ? optionsNonNull.errStream : optionsNonNull.outStream).write(data);
					errbuffer = this._processLineBuffer(data, errbuffer, (line) => {
						if (this.options.listeners && this.options.listeners.errline) this.options.listeners.errline(line);
					});
				});
				cp.on("error", (err) => {
					state.processError = err.message;
					state.processExited = true;
					state.processClosed = true;
					state.CheckComplete();
				});
				cp.on("exit", (code) => {
					state.processExitCode = code;
					state.processExited = true;
					this._debug(`Exit code ${code} received from tool '${this.toolPath}'`);
					state.CheckComplete();
				});
				cp.on("close", (code) => {
					state.processExitCode = code;
					state.processExited = true;
					state.processClosed = true;
					this._debug(`STDIO streams have closed for tool '${this.toolPath}'`);
					state.CheckComplete();
				});
				state.on("done", (error, exitCode) => {
					if (stdbuffer.length > 0) this.emit("stdline", stdbuffer);
					if (errbuffer.length > 0) this.emit("errline", errbuffer);
					cp.removeAllListeners();
					if (error) reject(error);
					else resolve(exitCode);
				});
				if (this.options.input) {
					if (!cp.stdin) throw new Error("child process missing stdin");
					cp.stdin.end(this.options.input);
				}
			}));
		});
	}
};
/**
* Convert an arg string to an array of args. Handles escaping
*
* @param    argString   string of arguments
* @returns  string[]    array of arguments
*/
function argStringToArray(argString) {
	const args = [];
	let inQuotes = false;
	let escaped = false;
	let arg = "";
	function append(c) {
		if (escaped && c !== "\"") arg += "\\";
		arg += c;
		escaped = false;
	}
	for (let i = 0; i < argString.length; i++) {
		const c = argString.charAt(i);
		if (c === "\"") {
			if (!escaped) inQuotes = !inQuotes;
			else append(c);
			continue;
		}
		if (c === "\\" && escaped) {
			append(c);
			continue;
		}
		if (c === "\\" && inQuotes) {
			escaped = true;
			continue;
		}
		if (c === " " && !inQuotes) {
			if (arg.length > 0) {
				args.push(arg);
				arg = "";
			}
			continue;
		}
		append(c);
	}
	if (arg.length > 0) args.push(arg.trim());
	return args;
}
var ExecState = class ExecState extends events.EventEmitter {
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
		else if (this.processExited) this.timeout = setTimeout$1(ExecState.HandleTimeout, this.delay, this);
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
};

// node_modules/@actions/exec/lib/exec.js
var __awaiter$1 = void 0 && (void 0).__awaiter || function(thisArg, _arguments, P, generator) {
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
* Exec a command.
* Output will be streamed to the live console.
* Returns promise with return code
*
* @param     commandLine        command to execute (can include additional args). Must be correctly escaped.
* @param     args               optional arguments for tool. Escaping is handled by the lib.
* @param     options            optional exec options.  See ExecOptions
* @returns   Promise<number>    exit code
*/
function exec(commandLine, args, options) {
	return __awaiter$1(this, void 0, void 0, function* () {
		const commandArgs = argStringToArray(commandLine);
		if (commandArgs.length === 0) throw new Error(`Parameter 'commandLine' cannot be null or empty.`);
		const toolPath = commandArgs[0];
		args = commandArgs.slice(1).concat(args || []);
		return new ToolRunner(toolPath, args, options).exec();
	});
}
/**
* Exec a command and get the output.
* Output will be streamed to the live console.
* Returns promise with the exit code and collected stdout and stderr
*
* @param     commandLine           command to execute (can include additional args). Must be correctly escaped.
* @param     args                  optional arguments for tool. Escaping is handled by the lib.
* @param     options               optional exec options.  See ExecOptions
* @returns   Promise<ExecOutput>   exit code, stdout, and stderr
*/
function getExecOutput(commandLine, args, options) {
	return __awaiter$1(this, void 0, void 0, function* () {
		var _a, _b;
		let stdout = "";
		let stderr = "";
		const stdoutDecoder = new StringDecoder("utf8");
		const stderrDecoder = new StringDecoder("utf8");
		const originalStdoutListener = (_a = options === null || options === void 0 ? void 0 : options.listeners) === null || _a === void 0 ? void 0 : _a.stdout;
		const originalStdErrListener = (_b = options === null || options === void 0 ? void 0 : options.listeners) === null || _b === void 0 ? void 0 : _b.stderr;
		const stdErrListener = (data) => {
			stderr += stderrDecoder.write(data);
			if (originalStdErrListener) originalStdErrListener(data);
		};
		const stdOutListener = (data) => {
			stdout += stdoutDecoder.write(data);
			if (originalStdoutListener) originalStdoutListener(data);
		};
		const listeners = Object.assign(Object.assign({}, options === null || options === void 0 ? void 0 : options.listeners), {
			stdout: stdOutListener,
			stderr: stdErrListener
		});
		const exitCode = yield exec(commandLine, args, Object.assign(Object.assign({}, options), { listeners }));
		stdout += stdoutDecoder.end();
		stderr += stderrDecoder.end();
		return {
			exitCode,
			stdout,
			stderr
		};
	});
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
* Sets the value of an output.
*
* @param     name     name of the output to set
* @param     value    value to store. Non-string values will be converted to a string via JSON.stringify
*/
function setOutput(name, value) {
	if (process.env["GITHUB_OUTPUT"] || "") return issueFileCommand("OUTPUT", prepareKeyValueMessage(name, value));
	process.stdout.write(os.EOL);
	issueCommand("set-output", { name }, toCommandValue(value));
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
* Saves state for current action, the state can only be retrieved by this action's post job execution.
*
* @param     name     name of the state to store
* @param     value    value to store. Non-string values will be converted to a string via JSON.stringify
*/
function saveState(name, value) {
	if (process.env["GITHUB_STATE"] || "") return issueFileCommand("STATE", prepareKeyValueMessage(name, value));
	issueCommand("save-state", { name }, toCommandValue(value));
}

// src/deliver/job-summary.ts
/** Adds to the page of the workflow run. Throws where the runner's file is not there or cannot be written. */
async function writeJobSummary(markdown) {
	await summary.addRaw(markdown, true).write();
}

// src/deliver/place.ts
/** Hands the report to one place. What throws becomes a notice and undefined: a place never judges. */
async function attempt(what, notice, send) {
	try {
		return await send();
	} catch (error) {
		notice(`The ${what} could not be written: ${error instanceof Error ? error.message.replace(/[.\s]+$/, "") : "an unexpected fault"}. The verdict is not changed by that.`);
		return;
	}
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

// src/github/payload.ts
/** Reads the event's payload from the runner's file. Not parsed further: see `readTarget`. */
async function readPayload(eventPath) {
	try {
		const payload = JSON.parse(await readFile(eventPath, "utf8"));
		return ok(payload);
	} catch (error) {
		return err({
			reason: "configuration",
			cause: `The event's payload cannot be read from GITHUB_EVENT_PATH: ${error instanceof SyntaxError ? "it is not JSON" : "the file cannot be opened"}.`,
			nextStep: "Run the workflow again; do not overwrite GITHUB_EVENT_PATH."
		});
	}
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
/** 0 is worst; an unknown word ranks before every level. */
function severityRank(level) {
	return level === "unknown" ? 0 : SEVERITY_LEVELS.indexOf(level) + 1;
}
/** Is this severity at or above the threshold? An unknown word always is. */
function isAtOrAbove(severity, threshold) {
	return severityRank(severity.level) <= severityRank(threshold);
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

// src/domain/finding.ts
const CLOSED_BY_TRIAGE = /* @__PURE__ */ new Set([
	"RESOLVED",
	"WONT_FIX",
	"MITIGATED",
	"FALSE_POSITIVE",
	"DUPLICATE"
]);
/** Open unless triage in the service closed it; a word we do not know, or none, is open. */
function isOpen(finding) {
	return finding.resolution === void 0 || !CLOSED_BY_TRIAGE.has(finding.resolution);
}
/** Worst first; among equals those with better evidence, then by path, line and label, so that the order is stable. */
function worstFirst(findings) {
	return [...findings].sort((a, b) => severityRank(a.severity.level) - severityRank(b.severity.level) || evidenceRank(a) - evidenceRank(b) || compare(a.location?.path ?? "￿", b.location?.path ?? "￿") || (a.location?.startLine ?? 0) - (b.location?.startLine ?? 0) || compare(a.label, b.label));
}
function evidenceRank(finding) {
	if (finding.triage !== "CONFIRMED") return 2;
	return finding.evidence === "POC" ? 0 : 1;
}
function compare(a, b) {
	return a < b ? -1 : a > b ? 1 : 0;
}

// src/domain/verdict.ts
const EVIDENCE_LEVELS = [
	"any",
	"confirmed",
	"poc"
];
/** Decides. Pure: the same outcome and policy always give the same verdict. */
function judge(outcome, policy) {
	switch (outcome.kind) {
		case "unchanged": return {
			...plain("unchanged", 0, "success"),
			stop: void 0,
			allowed: false
		};
		case "not-scanned": {
			const { stop } = outcome;
			const allowed = stop.reason !== "configuration" && stop.bySignal !== true && policy.allowUnscanned.includes(stop.reason);
			return {
				...plain("not-scanned", allowed ? 0 : 1, allowed ? "neutral" : "failure"),
				stop,
				allowed
			};
		}
		case "completed": {
			const findings = groupFindings(outcome.findings, policy);
			if (outcome.scan.status !== "COMPLETED") throw new Error("a verdict was asked of a scan that is not COMPLETED");
			const blocked = findings.blocking.length > 0;
			return {
				outcome: blocked ? "blocked" : "passed",
				stop: void 0,
				allowed: false,
				exitCode: blocked ? 1 : 0,
				conclusion: blocked ? "failure" : findings.reported.length > 0 ? "neutral" : "success",
				findings
			};
		}
	}
}
function plain(outcome, exitCode, conclusion) {
	return {
		outcome,
		exitCode,
		conclusion,
		findings: NO_FINDINGS
	};
}
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
/** Could this finding be reported or block under the policy, whatever its evidence? Its details are worth reading. */
function mayBeReported(finding, policy) {
	return isOpen(finding) && (isAtOrAbove(finding.severity, policy.severityThreshold) || reachesGate(finding, policy));
}
function groupFindings(findings, policy) {
	const sorted = worstFirst(findings);
	const open = sorted.filter(isOpen);
	const atGate = open.filter((finding) => reachesGate(finding, policy));
	const blocking = atGate.filter((finding) => hasEvidence(finding, policy.failOnEvidence));
	const blocks = new Set(blocking);
	const isReported = (finding) => blocks.has(finding) || isAtOrAbove(finding.severity, policy.severityThreshold);
	return {
		reported: open.filter(isReported),
		blocking,
		below: open.filter((finding) => !isReported(finding)),
		triaged: sorted.filter((finding) => !isOpen(finding)),
		withoutEvidence: atGate.filter((finding) => !blocks.has(finding)),
		total: sorted.length,
		counts: countSeverities(open.map((finding) => finding.severity)),
		highest: open[0]?.severity.level.toUpperCase()
	};
}
function reachesGate(finding, policy) {
	return policy.failOn !== "none" && isAtOrAbove(finding.severity, policy.failOn);
}
/** Evidence that the service did not show at all cannot acquit; evidence it shows as missing does. */
function hasEvidence(finding, wanted) {
	if (wanted === "any" || finding.triage === void 0) return true;
	if (finding.triage !== "CONFIRMED") return false;
	return wanted === "confirmed" || finding.evidence === void 0 || finding.evidence === "POC";
}

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

// src/limits.ts
/** GitHub kills a cancelled step 10 s after its first signal; this leaves room to write the outputs. */
const WRAP_UP_AFTER_SIGNAL_MS = 6500;
/** A launch in flight is worth waiting for, because its answer carries the id that cancelling needs. */
const LAUNCH_AFTER_STOP_MS = 3500;
/** Cancelling and delivering may run past the step's own timeout by this much. */
const WRAP_UP_AFTER_TIMEOUT_MS = 3e4;
function createLimits(clock) {
	const work = new AbortController();
	const launch = new AbortController();
	const wrapUp = new AbortController();
	const abortLater = (controller, ms, stop) => void clock.sleep(ms, controller.signal).then(() => controller.abort(stop));
	const stop = (cause) => {
		const reason = new Stop(cause);
		work.abort(reason);
		abortLater(launch, LAUNCH_AFTER_STOP_MS, reason);
		abortLater(wrapUp, cause === "signal" ? WRAP_UP_AFTER_SIGNAL_MS : WRAP_UP_AFTER_TIMEOUT_MS, reason);
	};
	return {
		work: work.signal,
		launch: launch.signal,
		wrapUp: wrapUp.signal,
		stop,
		startTimeout: (minutes) => void clock.sleep(minutes * 6e4, work.signal).then(() => {
			if (!work.signal.aborted) stop("timeout");
		})
	};
}

// src/report/visible-text.ts
/** Everything that a reader cannot see: controls, format characters (bidi, zero-width, tags), line separators. */
const INVISIBLE$2 = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]+/gu;
const INVISIBLE_BUT_LINES = /(?:(?![\n\t])[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}])+/gu;
const ANY_INVISIBLE = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/u;
/** One line: what cannot be seen is shown as `⟨U+202E⟩`, a tab as a space, a lone surrogate as U+FFFD. */
function visibleLine(text) {
	return text.toWellFormed().replaceAll("	", " ").replace(INVISIBLE$2, codePointsShown());
}
/** The same for several lines: line feeds and tabs stay, CR LF becomes LF. */
function visibleLines(text) {
	return text.toWellFormed().replaceAll("\r\n", "\n").replace(INVISIBLE_BUT_LINES, codePointsShown());
}
/** Does the text hold anything that a reader cannot see, or that is not well-formed Unicode? */
function hasInvisible(text) {
	return !text.isWellFormed() || ANY_INVISIBLE.test(text);
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
	return trusted(harmless$1(visibleLine(text)));
}
/** Several lines: as `logLine`, but line feeds (and CR LF) stay. */
function logLines(text) {
	return trusted(harmless$1(visibleLines(text)));
}
function harmless$1(lines) {
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

// src/outputs.ts
/** The step's outputs, all of them, in the order of `action.yml`. */
const OUTPUT_NAMES = [
	"outcome",
	"reason",
	"scan-id",
	"scan-status",
	"scan-reused",
	"base-commit",
	"head-commit",
	"findings-total",
	"findings-reported",
	"findings-blocking",
	"severity-counts",
	"highest-severity",
	"credits-reserved",
	"public-url",
	"public-password",
	"check-run-url",
	"comment-url",
	"sarif-file",
	"report-file"
];
const EMPTY = {
	outcome: "",
	reason: "",
	"scan-id": "",
	"scan-status": "",
	"scan-reused": "",
	"base-commit": "",
	"head-commit": "",
	"findings-total": "",
	"findings-reported": "",
	"findings-blocking": "",
	"severity-counts": "",
	"highest-severity": "",
	"credits-reserved": "",
	"public-url": "",
	"public-password": "",
	"check-run-url": "",
	"comment-url": "",
	"sarif-file": "",
	"report-file": ""
};
/** Every output has a value in every outcome: the empty string where there is nothing to say. Pure. */
function outputsOf(report, delivered) {
	const { verdict, scan, diffBase, publication } = report;
	const scanned = verdict.outcome === "passed" || verdict.outcome === "blocked";
	const count = (findings) => scanned ? String(findings.length) : "";
	return {
		outcome: verdict.outcome,
		reason: verdict.stop?.reason ?? "",
		"scan-id": report.scanId ?? "",
		"scan-status": scan?.status ?? "",
		"scan-reused": report.scanId === void 0 ? "" : String(report.reused),
		"base-commit": diffBase?.baseCommit ?? "",
		"head-commit": report.target?.headSha ?? "",
		"findings-total": scanned ? String(verdict.findings.total) : "",
		"findings-reported": count(verdict.findings.reported),
		"findings-blocking": count(verdict.findings.blocking),
		"severity-counts": scanned ? JSON.stringify(verdict.findings.counts) : "",
		"highest-severity": verdict.findings.highest ?? "",
		"credits-reserved": report.creditsReserved === void 0 ? "" : String(report.creditsReserved),
		"public-url": publication?.url ?? "",
		"public-password": publication?.accessPassword ?? "",
		"check-run-url": delivered.checkRunUrl ?? "",
		"comment-url": delivered.commentUrl ?? "",
		"sarif-file": "",
		"report-file": delivered.reportFile ?? ""
	};
}
/** The outputs where no report could be made: only that, and why, nothing was scanned. */
function outputsOfFailure(reason) {
	return {
		...EMPTY,
		outcome: "not-scanned",
		reason
	};
}
/** Hands the outputs to the runner. Throws when the runner's output file cannot be written. */
function writeOutputs(outputs) {
	for (const name of OUTPUT_NAMES) setOutput(name, outputs[name]);
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

// src/report/text-limit.ts
const CUT = "…";
/** At most `limit` UTF-16 units, a cut shown by an ellipsis; a surrogate pair is never split. */
function cutCharacters(text, limit) {
	if (text.length <= limit) return text;
	return limit < 1 ? "" : wholeCharacters(text, limit - 1) + CUT;
}
/** At most `limit` bytes of UTF-8, a cut shown by an ellipsis; a character is never split. */
function cutBytes(text, limit) {
	if (byteLength(text) <= limit) return text;
	const room = limit - byteLength(CUT);
	if (room < 0) return "";
	let low = Math.min(Math.floor(room / 3), text.length);
	let high = Math.min(room, text.length);
	while (low < high) {
		const middle = Math.ceil((low + high) / 2);
		if (byteLength(wholeCharacters(text, middle)) <= room) low = middle;
		else high = middle - 1;
	}
	return wholeCharacters(text, low) + CUT;
}
/** Bytes of the text in UTF-8. */
function byteLength(text) {
	return Buffer.byteLength(text, "utf8");
}
function wholeCharacters(text, units) {
	const last = text.charCodeAt(units - 1);
	const splitsPair = last >= 55296 && last <= 56319;
	return text.slice(0, splitsPair ? units - 1 : units);
}

// src/report/finding-words.ts
/** Words of the service are short; a longer one is no word. */
const LONGEST_WORD = 40;
/** `Critical`, `High`, …; an unknown word as the service wrote it. Plain text, foreign where it is unknown. */
function severityWord({ level, word }) {
	if (level !== "unknown") return level.charAt(0).toUpperCase() + level.slice(1);
	return word.trim() === "" ? "Unknown severity" : `Unknown severity ${cutCharacters(word, LONGEST_WORD)}`;
}
/** What backs the finding. Plain text, foreign where the word is unknown. */
function evidenceWords({ triage, evidence }) {
	if (triage === void 0) return "evidence not shown";
	if (triage === "PENDING") return "triage pending";
	if (triage !== "CONFIRMED") return `triage: ${cutCharacters(triage, LONGEST_WORD).toLowerCase()}`;
	if (evidence === "POC") return "proof of concept ran";
	if (evidence === "ANALYSIS") return "confirmed by analysis";
	if (evidence === null || evidence === void 0) return "confirmed";
	return `confirmed: ${cutCharacters(evidence, LONGEST_WORD).toLowerCase()}`;
}
const RESOLUTIONS = /* @__PURE__ */ new Map([
	["RESOLVED", "resolved"],
	["WONT_FIX", "will not be fixed"],
	["MITIGATED", "mitigated"],
	["FALSE_POSITIVE", "false positive"],
	["DUPLICATE", "duplicate"]
]);
/** How triage in the service closed the finding; undefined while it is open. */
function resolutionWords({ resolution }) {
	return resolution === void 0 ? void 0 : RESOLUTIONS.get(resolution);
}

// src/report/location.ts
/** Linux's PATH_MAX: git checks out nothing longer. */
const LONGEST_PATH = 4096;
/** GitHub reads line numbers as 32-bit integers. */
const LAST_LINE = 2 ** 31 - 1;
/**
* The place of a finding, or undefined: an absolute path, one that is not normalized, one with characters
* that cannot be seen, or lines that are no lines, is not pointed at. Such a finding is listed without a place.
*/
function placeOf(location) {
	if (location === void 0 || !isRepositoryPath(location.path)) return void 0;
	const { path, startLine, endLine } = location;
	if (startLine === void 0) return endLine === void 0 ? {
		path,
		lines: void 0
	} : void 0;
	const lines = {
		start: startLine,
		end: endLine ?? startLine
	};
	return isLine(lines.start) && isLine(lines.end) && lines.end >= lines.start ? {
		path,
		lines
	} : void 0;
}
function isRepositoryPath(path) {
	if (path.length === 0 || path.length > LONGEST_PATH) return false;
	if (path.includes("\\") || /^[a-z]:/i.test(path) || hasInvisible(path)) return false;
	return path.split("/").every((segment) => segment !== "" && segment !== "." && segment !== "..");
}
function isLine(line) {
	return Number.isInteger(line) && line >= 1 && line <= LAST_LINE;
}

// src/report/link-target.ts
/** Browsers and mail programs agree on addresses up to about this many characters. */
const LONGEST_URL = 2e3;
/**
* The address as it may stand in a link, or undefined. It must lie under one of the allowed prefixes
* (each an absolute address that ends in a slash) after the URL parser resolved its dots.
*/
function linkTarget(url, allowed) {
	if (url.length > LONGEST_URL || hasInvisible(url) || !URL.canParse(url)) return void 0;
	const parsed = new URL(url);
	if (!/^https?:$/.test(parsed.protocol) || parsed.username !== "" || parsed.password !== "") return void 0;
	if (!allowed.some((prefix) => liesUnder(parsed, prefix))) return void 0;
	const href = parsed.href.replace(/[^A-Za-z0-9\-._~:/?#&+,;=%]/g, percentEncoded).replaceAll("&", "&amp;");
	return href.length > LONGEST_URL ? void 0 : href;
}
function liesUnder(url, prefix) {
	if (!URL.canParse(prefix)) return false;
	const root = new URL(prefix);
	return url.origin === root.origin && root.pathname.endsWith("/") && url.pathname.startsWith(root.pathname);
}
function percentEncoded(character) {
	return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}

// src/report/markdown-escape.ts
/**
* ZERO WIDTH SPACE. Entities stop markdown syntax, but GitHub finds mentions, references, commit ids and
* addresses in the text after parsing: there only a break inside the token helps.
*/
const BREAK = "&#8203;";
/** GitHub links a bare commit id from 7 hexadecimal digits on. */
const HEX_RUN = /^[0-9a-f]{7}/i;
const HEX_PIECES = /[0-9a-f]{1,6}/gi;
/** The look ahead is longer than any emoji name, and bounded, so that hostile text takes linear time. */
const TEXT_TOKENS = /[@#$&<>`*_[\]~|\\!]+|www\.|:\/\/|:(?=[\w+-]{1,60}(?::|$))|GH-|[0-9a-f]{7,}|[ \t]{2,}|\t/gi;
/** An at sign only where it could belong to a mail address. */
const CODE_TOKENS = /[#$&<>`*_[\]~|\\!]+|(?<=[\w.+-])@|www\.|:\/\//gi;
/** What would open a list, a heading's underline or a directive where the text comes first on a line. */
const FIRST_ON_LINE = /^( ?\d*)([-+=.:)])/;
/** GitHub draws a colour chip beside a code span that holds nothing but a colour. */
const COLOUR = /^ *(?:#|rgb|hsl)/i;
/**
* One line of foreign text, for use in markdown or between HTML tags: it shows as it is and means nothing.
* No mention, reference, link, image, HTML, emphasis, math, emoji, table cell or line break comes of it.
*/
function escapeText(text) {
	const escaped = text.replace(TEXT_TOKENS, textToken).replace(FIRST_ON_LINE, (_, before, mark) => before + entity(mark));
	return visibleLine(escaped);
}
/**
* One line of foreign text for the inside of a `code` element. GitHub links nothing there, so names and
* ids stay whole for copying; only the markdown parser still looks for addresses.
*/
function escapeCode(text) {
	const escaped = visibleLine(text.replace(CODE_TOKENS, codeToken));
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
function textToken(token) {
	if (TEXT_SIGNS.has(token.charAt(0))) return eachSign(token, TEXT_SIGNS);
	if (/^[ \t]/.test(token)) return " ";
	return HEX_RUN.test(token) ? (token.match(HEX_PIECES) ?? []).join(BREAK) : broken(token);
}
function codeToken(token) {
	return CODE_SIGNS.has(token.charAt(0)) ? eachSign(token, CODE_SIGNS) : broken(token);
}
/** Breaks an address or a reference where its finder needs it whole. */
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

// src/report/markdown.ts
const source = Symbol("markdown");
/** Markdown from a template: its own words are trusted, every value that is not safe markdown is escaped. */
function md(parts, ...values) {
	let text = parts[0] ?? "";
	values.forEach((value, index) => {
		const before = index > 0 && parts[index] === "" ? values[index - 1] : void 0;
		if (before !== void 0 && (isForeign(value) || isForeign(before))) text += BREAK;
		text += sourceOf(value) + (parts[index + 1] ?? "");
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
/** The markdown source, for the sink. */
function toText(markdown) {
	return markdown[source];
}
/** Parts one after the other with trusted markdown between them; empty parts are left out. */
function join$1(parts, separator) {
	return safe(parts.map(toText).filter((part) => part !== "").join(separator[source]));
}
const NOTHING = safe("");
const BLANK_LINE = safe("\n\n");
const SEPARATOR = safe(" · ");
/** A code span that also works in a table cell and between HTML tags, where backticks do not. */
function inlineCode(text) {
	return text === "" ? NOTHING : safe(`<code>${escapeCode(text)}</code>`);
}
/** A link, where the address lies under one of the allowed prefixes; otherwise the text alone. */
function link(text, url, allowed) {
	const target = linkTarget(url, allowed);
	const shown = sourceOf(text);
	return safe(target === void 0 ? shown : `[${shown}](${target})`);
}
/** A fenced block of its own, its fence longer than any run of the same character in the text. */
function codeBlock(text) {
	const shown = visibleLines(text).replace(/\n+$/, "");
	const [backticks, tildes] = [longestRun(shown, /`+/g), longestRun(shown, /~+/g)];
	const fence = backticks <= tildes ? "`".repeat(Math.max(3, backticks + 1)) : "~".repeat(Math.max(3, tildes + 1));
	return safe(`${fence}\n${shown}\n${fence}`);
}
function longestRun(text, run) {
	let longest = 0;
	for (const [found] of text.matchAll(run)) longest = Math.max(longest, found.length);
	return longest;
}
function safe(text) {
	return { [source]: text };
}

// src/report/report.ts
/**
* May a proof of concept be shown? Not where anybody can read it, and not where we do not know.
*/
function showsProof(report) {
	return report.target?.repository.isPublic === false;
}
/** The commit that was, or would be, scanned. */
function headCommit(report) {
	return report.diffBase?.headCommit ?? report.target?.headSha;
}

// src/report/links.ts
/** A longer path is cut in the text; its link still leads to the file. */
const LONGEST_SHOWN_PATH = 200;
/** GitHub renders these instead of showing their lines, unless asked for the plain text. */
const RENDERED = /\.(?:md|mdx|markdown|rst|adoc|org|textile|ipynb|svg|csv|tsv)$/i;
/** The only places that a link may lead to: this repository on its GitHub server, and the scanning service. */
function allowedLinks(report) {
	const { target, serverUrl, serviceOrigin } = report;
	return [...target === void 0 ? [] : [`${serverUrl}/${target.repository.owner}/${target.repository.name}/`], `${serviceOrigin}/`];
}
/** The finding's place as a link to its lines at the head commit; without a sound place, what is known of it. */
function placeLink(finding, report) {
	const place = placeOf(finding.location);
	if (place === void 0) {
		const named = finding.location?.path;
		return named === void 0 ? md`no place named` : md`${inlineCode(cutCharacters(named, LONGEST_SHOWN_PATH))}, no place that can be linked`;
	}
	const shown = md`${inlineCode(cutCharacters(place.path, LONGEST_SHOWN_PATH))} ${linesOf(place)}`;
	const url = permalink(place, report);
	return url === void 0 ? shown : link(shown, url, allowedLinks(report));
}
/** Where the finding, or else the published scan, can be seen in the service. */
function serviceLink(finding, report) {
	return finding.url ?? report.publication?.url;
}
function permalink({ path, lines }, report) {
	const { target, serverUrl } = report;
	const head = headCommit(report);
	if (target === void 0 || head === void 0) return void 0;
	const { owner, name } = target.repository;
	const file = path.split("/").map(encodeURIComponent).join("/");
	const anchor = lines === void 0 ? "" : `#L${lines.start}${lines.end > lines.start ? `-L${lines.end}` : ""}`;
	return `${serverUrl}/${owner}/${name}/blob/${head}/${file}${anchor !== "" && RENDERED.test(path) ? "?plain=1" : ""}${anchor}`;
}
function linesOf({ lines }) {
	if (lines === void 0) return "";
	return lines.end > lines.start ? `lines ${lines.start}–${lines.end}` : `line ${lines.start}`;
}

// src/report/prose.ts
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const CODE_SPAN = /(`[^`]+`)/;
/** Deeper indentation only pushes the text out of sight. */
const DEEPEST_INDENT = 40;
/**
* Paragraphs of foreign text. Line breaks and indentation are kept, and what stands in a code fence or
* between backticks is shown as code; nothing else in the text is markdown.
*/
function prose(text) {
	const blocks = [];
	let lines = [];
	let fence;
	const endBlock = () => {
		if (fence !== void 0) blocks.push(codeBlock(lines.join("\n")));
		else if (lines.length > 0) blocks.push(join$1(lines.map(proseLine), md`<br>\n`));
		lines = [];
	};
	for (const line of visibleLines(text).split("\n")) {
		const mark = FENCE.exec(line)?.[1];
		if (mark !== void 0 && (fence === void 0 || mark.startsWith(fence))) {
			endBlock();
			fence = fence === void 0 ? mark : void 0;
		} else if (fence === void 0 && line.trim() === "") endBlock();
		else lines.push(line);
	}
	endBlock();
	return join$1(blocks, BLANK_LINE);
}
function proseLine(line) {
	const text = line.trimStart();
	const indent = line.slice(0, line.length - text.length).replaceAll("	", "  ").length;
	const spaces = Array.from({ length: Math.min(indent, DEEPEST_INDENT) }, () => md`&#160;`);
	const pieces = text.split(CODE_SPAN).map((piece, index) => index % 2 === 1 ? inlineCode(piece.slice(1, -1)) : md`${piece}`);
	return md`${spaces}${pieces}`;
}

// src/report/finding-block.ts
/** A title is a line; what is longer belongs into the description. */
const LONGEST_TITLE$2 = 300;
const LONGEST_LABEL = 40;
function findingBlocks(findings, report) {
	const blocking = new Set(report.verdict.findings.blocking);
	return findings.map((finding) => ({
		row: md`${firstLine(finding)}<br>\n${secondLine(finding, report, blocking.has(finding))}`,
		details: (longest) => details(finding, report, longest)
	}));
}
function firstLine(finding) {
	const title = cutCharacters(finding.title, LONGEST_TITLE$2);
	return md`${ICONS$1[finding.severity.level]} <b>${severityWord(finding.severity)}: ${title}</b>`;
}
function secondLine(finding, report, blocks) {
	const closed = resolutionWords(finding);
	const parts = [
		placeLink(finding, report),
		blocks ? md`**blocks**` : NOTHING,
		md`${evidenceWords(finding)}`,
		closed === void 0 ? NOTHING : md`${closed}`,
		labelLink(finding, report)
	];
	return join$1(parts, SEPARATOR);
}
function labelLink(finding, report) {
	const label = cutCharacters(finding.label, LONGEST_LABEL);
	return finding.url === void 0 ? md`${label}` : link(label, finding.url, allowedLinks(report));
}
function details(finding, report, longest) {
	const parts = [
		section(NOTHING, finding.description, longest),
		section(md`**How to mend it**`, finding.recommendedFix, longest),
		proof(finding, report, longest)
	];
	const body = join$1(parts, BLANK_LINE);
	return parts.every((part) => part === NOTHING) ? NOTHING : md`<details><summary>What it is and how to mend it</summary>\n\n${body}\n\n</details>`;
}
function section(heading, text, longest) {
	if (text === void 0 || text.trim() === "") return NOTHING;
	return join$1([
		heading,
		prose(cutCharacters(text, longest)),
		cutNote$1(text, longest)
	], BLANK_LINE);
}
/** Where anybody can read along, the proof stays in the service. */
function proof(finding, report, longest) {
	const text = finding.proofOfConcept;
	if (text === void 0 || text.trim() === "") return NOTHING;
	if (!showsProof(report)) {
		const url = serviceLink(finding, report);
		const where = url === void 0 ? md`${SERVICE}` : link(SERVICE, url, allowedLinks(report));
		return md`**Proof of concept**: shown ${where} only, because anybody may be able to read this.`;
	}
	const kept = cutCharacters(text, longest);
	const shown = /^ {0,3}(```|~~~)/m.test(kept) ? prose(kept) : codeBlock(kept);
	return join$1([
		md`**Proof of concept**`,
		shown,
		cutNote$1(text, longest)
	], BLANK_LINE);
}
function cutNote$1(text, longest) {
	return text.length <= longest ? NOTHING : md`*The text is cut here: ${text.length - longest} more characters are in the scanning service.*`;
}
const SERVICE = "in the scanning service";
/** A glance for the eye; the word beside it says the same. */
const ICONS$1 = {
	unknown: "🟣",
	critical: "🔴",
	high: "🟠",
	medium: "🟡",
	low: "🔵",
	info: "⚪"
};

// src/report/finding-list.ts
/**
* Fits blocks, worst first, into the room. Every finding has its row before any has its details; where even
* the rows do not fit, the list is cut after a whole finding. `listed` and `leftOut` add up to all.
*/
function fitFindings(blocks, budget, longest) {
	const sizeOf = (markdown) => budget.sizeOf(`${toText(markdown)}\n\n`);
	const shown = [];
	let size = 0;
	for (const { row } of blocks) {
		const next = size + sizeOf(row);
		if (next > budget.room) break;
		shown.push(row);
		size = next;
	}
	let withoutDetails = 0;
	const leftOut = blocks.length - shown.length;
	for (const [index, row] of shown.entries()) {
		const details = blocks[index]?.details(longest) ?? NOTHING;
		if (details === NOTHING) continue;
		const next = size + sizeOf(details);
		if (next > budget.room) withoutDetails += 1;
		else {
			shown[index] = md`${row}\n\n${details}`;
			size = next;
		}
	}
	return {
		markdown: join$1(shown, BLANK_LINE),
		listed: shown.length,
		leftOut,
		withoutDetails,
		size
	};
}
/** The first parts that fit into the room, and how many do not. */
function fitParts(parts, budget) {
	const kept = [];
	let size = 0;
	for (const part of parts) {
		size += budget.sizeOf(`${toText(part)}\n\n`);
		if (size > budget.room) break;
		kept.push(part);
	}
	return {
		kept,
		leftOut: parts.length - kept.length
	};
}

// src/report/headline.ts
/** The verdict in words. "Not scanned" never looks like "no findings". */
function headline(verdict, policy) {
	switch (verdict.outcome) {
		case "blocked": return {
			words: blockedWords(verdict, policy),
			cause: void 0,
			nextStep: BLOCKED_NEXT
		};
		case "passed": return {
			words: passedWords(verdict, policy),
			cause: void 0,
			nextStep: passedNext(verdict)
		};
		case "unchanged": return {
			words: "Nothing to scan: no change against the merge base",
			cause: void 0,
			nextStep: "No scan was launched and no credits were reserved."
		};
		case "not-scanned": return {
			words: verdict.allowed ? "Not scanned, allowed by allow-unscanned" : "Not scanned",
			cause: verdict.stop?.cause,
			nextStep: verdict.stop?.nextStep ?? ""
		};
	}
}
/** The headline on one line, with the cause where nothing was scanned. */
function headlineLine({ words, cause }) {
	return cause === void 0 ? words : `${words}: ${cause}`;
}
/** `1 finding`, `2 findings`. */
function countOf(count, noun) {
	return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
const BLOCKED_NEXT = "Push a fix for each finding marked as blocking, or triage it in the scanning service and run this check again.";
function blockedWords({ findings }, policy) {
	return `Blocked: ${countOf(findings.blocking.length, "finding")} at or above ${policy.failOn}${withoutEvidence(findings.withoutEvidence.length, policy, "more")}`;
}
function passedWords({ findings }, policy) {
	const { reported, below, triaged } = findings;
	const missing = withoutEvidence(findings.withoutEvidence.length, policy, `at or above ${policy.failOn}`);
	if (reported.length > 0 && policy.failOn === "none") return `Passed: ${countOf(reported.length, "finding")}, and fail-on is none`;
	if (reported.length > 0) return `Passed: ${countOf(reported.length, "finding")} below the gate${missing}`;
	if (below.length > 0) return `Passed: no findings at or above ${policy.severityThreshold}, ${below.length} below${missing}`;
	return triaged.length > 0 ? `Passed: no open findings, ${triaged.length} triaged` : "Passed: no findings";
}
function passedNext({ findings }) {
	if (findings.reported.length > 0) return "Nothing blocks this change. What was found is worth a look.";
	return findings.total === 0 ? "The scan of this change completed and found nothing." : "The scan of this change completed. Nothing in it needs to be done now.";
}
function withoutEvidence(count, policy, which) {
	if (count === 0 || policy.failOnEvidence === "any") return "";
	return ` (${count} ${which} ${policy.failOnEvidence === "poc" ? "without a proof of concept" : "not confirmed"})`;
}

// src/report/sections.ts
/** One sentence of ours, with a short piece of foreign text in it. */
const LONGEST_SENTENCE = 500;
/** Cause and next step may be many sentences: faults are told together, one for each input. */
const LONGEST_LEAD = 4e3;
const LONGEST_NAME = 100;
/** Notices take at most this many bytes, so that they never push the findings out. */
const NOTICES_ROOM = 6e3;
/** The verdict as a heading, with a sign for the eye. */
function headingSection(report) {
	const { verdict, policy } = report;
	return md`## ${ICONS[verdict.outcome]} ${headline(verdict, policy).words}`;
}
/** Why, and what to do next. */
function leadSection(report) {
	const { verdict, policy } = report;
	const { cause, nextStep } = headline(verdict, policy);
	const next = md`${cutCharacters(nextStep, LONGEST_LEAD)}`;
	const toDo = verdict.outcome === "blocked" || verdict.outcome === "not-scanned";
	const parts = [cause === void 0 ? NOTHING : md`${cutCharacters(cause, LONGEST_LEAD)} ${UNKNOWN}`, toDo && nextStep !== "" ? md`**Next step:** ${next}` : next];
	return join$1(parts, BLANK_LINE);
}
/** Open findings by severity; nothing where no scan completed, so that it never reads as "none". */
function severityTable(report) {
	const { outcome, findings } = report.verdict;
	if (outcome !== "passed" && outcome !== "blocked") return NOTHING;
	if (findings.total === 0) return NOTHING;
	const columns = Object.entries(findings.counts).map(([level, count]) => ({
		name: md`${level.charAt(0) + level.slice(1).toLowerCase()}`,
		rule: md`:-:`,
		count: count > 0 ? md`**${count}**` : md`${count}`
	}));
	const line = (cells) => md`| ${join$1(cells, md` | `)} |`;
	return md`${line(columns.map(({ name }) => name))}\n${line(columns.map(({ rule }) => rule))}\n${line(columns.map(({ count }) => count))}`;
}
/** What could not be read or delivered. */
function noticesSection(report) {
	const lines = report.notices.map((notice) => md`- ${cutCharacters(notice, LONGEST_SENTENCE)}`);
	if (lines.length === 0) return NOTHING;
	const { kept, leftOut } = fitParts(lines, {
		room: NOTICES_ROOM,
		sizeOf: byteLength
	});
	const more = leftOut === 0 ? [] : [md`- ${countOf(leftOut, "more notice")} in the log.`];
	return md`**Please note**\n\n${join$1([...kept, ...more], md`\n`)}`;
}
/** What was scanned, against what, and for how much. */
function scanSection(report) {
	const { scanId, diffBase, preset, creditsReserved, reused, publication, checkName } = report;
	const head = headCommit(report);
	const allowed = allowedLinks(report);
	const credits = creditsReserved === void 0 ? NOTHING : md`${countOf(creditsReserved, "credit")} reserved`;
	const parts = [
		md`${cutCharacters(checkName, LONGEST_NAME)}`,
		scanId === void 0 ? NOTHING : md`scan ${inlineCode(cutCharacters(scanId, LONGEST_NAME))}`,
		diffBase === void 0 ? head === void 0 ? NOTHING : md`head ${commit(head)}` : md`${commit(diffBase.baseCommit)} → ${commit(diffBase.headCommit)} (base ${HOW[diffBase.how]})`,
		preset === void 0 ? NOTHING : md`preset ${inlineCode(cutCharacters(preset.ref, LONGEST_NAME))}`,
		reused ? md`read from an earlier run, no new credits` : credits,
		publication === void 0 ? NOTHING : link("published page", publication.url, allowed),
		link("workflow run", report.runUrl, allowed)
	];
	return md`<sub>${join$1(parts, SEPARATOR)}</sub>`;
}
function commit(id) {
	return inlineCode(id.slice(0, 7));
}
const UNKNOWN = "Whether this change is safe is not known.";
const HOW = {
	input: "given by base-commit",
	compare: "from the comparison on GitHub",
	git: "found by git"
};
const ICONS = {
	passed: md`✅`,
	blocked: md`🛑`,
	unchanged: md`✅`,
	"not-scanned": md`⚠️`
};

// src/report/summary.ts
/** GitHub shows one text of a finding in full up to this length; a longer one is no explanation any more. */
const LONGEST_TEXT$2 = 65536;
/** The job summary: everything, at most `SUMMARY_LIMIT_BYTES` bytes, counting what was left out. */
function renderSummary(report) {
	const { reported, below, triaged } = report.verdict.findings;
	const top = [
		headingSection(report),
		leadSection(report),
		severityTable(report)
	];
	const bottom = [noticesSection(report), scanSection(report)];
	let room = 898e3 - byteLength(toText(join$1([...top, ...bottom], BLANK_LINE)));
	const group = (heading, findings) => {
		if (findings.length === 0) return NOTHING;
		const list = fitFindings(findingBlocks(findings, report), {
			room,
			sizeOf: byteLength
		}, LONGEST_TEXT$2);
		room -= list.size;
		return join$1([
			heading,
			list.markdown,
			cutNote(list.leftOut, list.withoutDetails)
		], BLANK_LINE);
	};
	const groups = [
		group(md`### Reported`, reported),
		group(md`### Below ${report.policy.severityThreshold}`, below),
		group(md`### Closed by triage in the scanning service`, triaged)
	];
	return `${toText(join$1([
		...top,
		...groups,
		...bottom
	], BLANK_LINE))}\n`;
}
/** The job summary of a run that could not begin, about which nothing else is known. */
function renderStop({ cause, nextStep }) {
	return `${toText(md`## ⚠️ Not scanned\n\n${cause}\n\n**Next step:** ${nextStep}`)}\n`;
}
function cutNote(leftOut, withoutDetails) {
	const parts = [withoutDetails === 0 ? NOTHING : md`${countOf(withoutDetails, "finding")} above without details.`, leftOut === 0 ? NOTHING : md`**${countOf(leftOut, "more finding")} did not fit here**.`];
	const said = join$1(parts, md` `);
	return said === NOTHING || toText(said) === "" ? NOTHING : md`${said} All of them can be read in the scanning service.`;
}

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
function integer(message$1) {
	return {
		kind: "validation",
		type: "integer",
		reference: integer,
		async: false,
		expects: null,
		requirement: Number.isInteger,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && !this.requirement(dataset.value)) _addIssue(this, "integer", dataset, config$1);
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

// src/github/author.ts
/** `maintain` is shown as `write`, `triage` as `read`. */
const Answer = object({ permission: string() });
const MAY_WRITE = /* @__PURE__ */ new Set(["admin", "write"]);
const ASSOCIATED = /* @__PURE__ */ new Set([
	"OWNER",
	"MEMBER",
	"COLLABORATOR"
]);
/**
* Whoever pushes to the repository itself has write permission; the author of a fork's pull request is asked for.
* The association in the payload calls private members strangers, so it decides only where GitHub refuses to tell
* the permission. No answer at all is an error: nobody is trusted by accident.
*/
async function authorMayScan(github, pullRequest) {
	if (!pullRequest.isFork) return ok({
		trusted: true,
		how: "same-repository"
	});
	if (pullRequest.author === "") return ok({
		trusted: false,
		how: "permission"
	});
	const answer = await github.ask({
		operation: "read the author's permission",
		permission: "metadata: read",
		route: "GET /repos/{owner}/{repo}/collaborators/{username}/permission",
		parameters: { username: pullRequest.author },
		answer: Answer
	});
	if (answer.ok) return ok({
		trusted: MAY_WRITE.has(answer.value.data.permission),
		how: "permission"
	});
	switch (answer.error.kind) {
		case "not-found": return ok({
			trusted: false,
			how: "permission"
		});
		case "forbidden": return ok({
			trusted: ASSOCIATED.has(pullRequest.authorAssociation),
			how: "association"
		});
		default: return err(answer.error);
	}
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

// src/admission.ts
/**
* May this event's change be scanned at the maintainer's expense? Undefined means yes.
* A fork's secrets are withheld under `pull_request`; under `pull_request_target` they are there, so the author
* has to be somebody who could push to the repository anyway.
*/
async function refuseTarget(github, target, apiToken, signal) {
	if (apiToken === "") return target.pullRequest?.secretsWithheld ? TOKEN_WITHHELD : TOKEN_EMPTY;
	if (target.event !== "pull_request_target" || target.pullRequest?.isFork !== true) return void 0;
	const trust = await authorMayScan(github, target.pullRequest);
	if (!trust.ok) {
		const cause = stopCause(signal);
		if (cause !== void 0) return explainStop(cause, "nothing was launched");
		return {
			reason: "service-error",
			cause: `Whether the fork's author may have it scanned is not known. ${explainGitHubError(trust.error)}`,
			nextStep: "Run the job again later."
		};
	}
	if (trust.value.trusted) return void 0;
	return {
		reason: "untrusted-fork",
		cause: `The pull request comes from a fork, and its author ${target.pullRequest.author} may not write to this repository.`,
		nextStep: "A maintainer who has read the change can push its commits to a branch of this repository and open a pull request from there, or allow `untrusted-fork` in `allow-unscanned`."
	};
}
const TOKEN_WITHHELD = {
	reason: "missing-token",
	cause: "GitHub gives no secrets to pull requests from forks and from Dependabot, so there is no `api-token`.",
	nextStep: "A maintainer can allow `missing-token` in `allow-unscanned`, store the token among the Dependabot secrets, or scan forks of trusted authors on `pull_request_target`."
};
const TOKEN_EMPTY = {
	reason: "configuration",
	cause: "Input `api-token` is empty, although GitHub gives secrets to this event.",
	nextStep: "Set it from a secret of this repository that exists and is spelt alike; in a reusable workflow the caller has to add `secrets: inherit` or pass the secret."
};

// src/report/annotations.ts
/** Beyond these nobody reads on in the diff; each 50 cost a request. */
const MOST_ANNOTATIONS = 200;
/** GitHub's limits of one annotation. */
const LONGEST_TITLE$1 = 255;
const LONGEST_MESSAGE_BYTES = 65536;
/** The reported findings on their lines, worst first. The three numbers add up to all that are reported. */
function toAnnotations(report) {
	const placed = [];
	let leftOut = 0;
	let unplaced = 0;
	for (const finding of report.verdict.findings.reported) {
		const place = placeOf(finding.location);
		if (place?.lines === void 0) unplaced += 1;
		else if (placed.length === 200) leftOut += 1;
		else {
			const { start, end } = place.lines;
			placed.push({
				path: place.path,
				startLine: start,
				endLine: end,
				...wordsOf(finding, report)
			});
		}
	}
	return {
		annotations: placed,
		leftOut,
		unplaced
	};
}
function wordsOf(finding, report) {
	const title = `${finding.label} ${severityWord(finding.severity)}: ${finding.title}`;
	const proof = showsProof(report) ? finding.proofOfConcept : void 0;
	return {
		level: levelOf(finding.severity.level),
		title: cutCharacters(visibleLine(title), LONGEST_TITLE$1),
		message: cutBytes(messageOf$1(finding), LONGEST_MESSAGE_BYTES),
		rawDetails: proof === void 0 ? void 0 : cutBytes(visibleLines(proof), LONGEST_MESSAGE_BYTES)
	};
}
/** GitHub refuses an empty message, so a finding without a text says its title. */
function messageOf$1({ title, description, recommendedFix }) {
	const text = [description, recommendedFix === void 0 ? void 0 : `How to mend it: ${recommendedFix}`].filter((part) => part !== void 0 && part.trim() !== "").join("\n\n");
	return visibleLines(text === "" ? title : text) || "The scanning service gives no text for this finding.";
}
function levelOf(level) {
	switch (level) {
		case "unknown":
		case "critical":
		case "high": return "failure";
		case "medium": return "warning";
		default: return "notice";
	}
}

// src/report/check-output.ts
const LONGEST_TITLE = 255;
const LONGEST_TEXT$1 = 4e3;
/** What the check run shows: summary and text of at most 65,535 bytes each. */
function renderCheckOutput(report) {
	const title = headlineLine(headline(report.verdict, report.policy));
	const summary = [
		leadSection(report),
		severityTable(report),
		annotationsSection(report),
		noticesSection(report),
		scanSection(report)
	];
	return {
		title: cutCharacters(visibleLine(title), LONGEST_TITLE),
		summary: toText(join$1(summary, BLANK_LINE)),
		text: toText(listSection(report))
	};
}
function listSection(report) {
	const { reported } = report.verdict.findings;
	const budget = {
		room: 65035,
		sizeOf: byteLength
	};
	const list = fitFindings(findingBlocks(reported, report), budget, LONGEST_TEXT$1);
	const cut = list.leftOut + list.withoutDetails;
	const note = md`${countOf(list.leftOut, "more finding")} did not fit here, ${list.withoutDetails} above without details: all are in the job summary.`;
	return join$1([list.markdown, cut === 0 ? NOTHING : note], BLANK_LINE);
}
function annotationsSection(report) {
	const { leftOut, unplaced } = toAnnotations(report);
	const parts = [leftOut === 0 ? NOTHING : md`The ${countOf(leftOut, "least severe finding")} got no annotation.`, unplaced === 0 ? NOTHING : md`${countOf(unplaced, "finding")} named no line that could be annotated.`];
	return join$1(parts, md` `);
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
/** Saved at once when a scan was launched, so that a killed job leaves its id behind. */
function saveRun(run) {
	saveState(NAME, JSON.stringify(run));
}
/** The scan is terminal or cancelled, and everything is delivered: nothing is left for `post`. */
function clearRun() {
	saveState(NAME, "");
}

// src/deliver/left-for-post.ts
/**
* Saves what `post` still has to do: cancel a scan that could not be cancelled, complete a check run that the
* verdict did not reach. Clears the state where nothing is left.
*/
function leaveForPost(report, { checkRunInProgress }, scanLeftRunning) {
	const { projectId, scanId, target, verdict } = report;
	if (!scanLeftRunning && checkRunInProgress === void 0 || projectId === void 0 || scanId === void 0 || target === void 0) {
		clearRun();
		return;
	}
	saveRun({
		projectId,
		scanId,
		headSha: target.headSha,
		scanEnded: !scanLeftRunning,
		...checkRunInProgress === void 0 ? {} : { checkRunId: checkRunInProgress },
		verdict: {
			conclusion: verdict.conclusion,
			title: renderCheckOutput(report).title
		}
	});
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
const permission$1 = "checks: write";
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
/** Creates the check run, in progress. After an answer that was lost it is looked for before it is created again. */
async function createCheckRun(github, identity, output) {
	return createOnce(github, identity, {
		status: "in_progress",
		output: outputOnTheWire(output, [])
	});
}
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
		done = await send((batch) => update$1(github, checkRunId, conclude(batch), batch.length, 0));
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
		const answer = await update$1(github, done.value.id, body, batch.length, annotated);
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
async function update$1(github, checkRunId, body, adds, shownBefore) {
	const patch = () => github.ask({
		operation: "update the check run",
		permission: permission$1,
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
			permission: permission$1,
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
		permission: permission$1,
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
			permission: permission$1,
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

// src/deliver/check-run.ts
/** Completes the step's check run with the annotations. */
async function deliverCheckRun({ github }, report, { identity, started }, annotations, notice) {
	const completed = (started?.ok === false && started.error.kind === "forbidden" ? started : void 0) ?? await completeCheckRun(github, started?.ok ? started.value.id : void 0, identity, {
		conclusion: report.verdict.conclusion,
		output: renderCheckOutput(report),
		annotations
	});
	if (!completed.ok) {
		notice(explainGitHubError(completed.error));
		return {
			url: started?.ok ? started.value.url : void 0,
			completed: false,
			unshown: annotations
		};
	}
	const { url, refused: unshown, fault } = completed.value;
	if (fault !== void 0) notice(`${unshown.length === 1 ? "1 annotation is" : `${unshown.length} annotations are`} missing on the check run. ${explainGitHubError(fault)}`);
	return {
		url,
		completed: true,
		unshown
	};
}

// src/github/comment-author.ts
/** The login under which the job's own token writes. */
const WORKFLOW_AUTHOR = "github-actions[bot]";
const QUERY = `query($owner: String!, $repo: String!, $number: Int!) {
  viewer { login }
  repository(owner: $owner, name: $repo) { pullRequest(number: $number) { headRefOid } }
}`;
const CommitId$2 = pipe(string(), check(isCommitId, "not a full commit id"));
/** Each half may be missing: GraphQL answers what the token may see, beside its errors. */
const GraphqlAnswer = object({ data: nullish(object({
	viewer: nullish(object({ login: string() })),
	repository: nullish(object({ pullRequest: nullish(object({ headRefOid: CommitId$2 })) }))
})) });
const PullRequest = object({ head: object({ sha: CommitId$2 }) });
/** One GraphQL request; what it does not answer is the workflow's own author, and the head by REST. */
async function readCommentSituation(github, pullRequest) {
	const graphql = await github.ask({
		operation: "read as whom the token writes",
		permission: "pull-requests: write",
		route: `POST ${github.graphqlUrl}`,
		parameters: {
			query: QUERY,
			variables: {
				owner: github.owner,
				repo: github.repo,
				number: pullRequest
			}
		},
		answer: GraphqlAnswer,
		repeatable: true
	});
	if (!graphql.ok && graphql.error.kind === "stopped") return graphql;
	const known = graphql.ok ? graphql.value.data.data : void 0;
	const author = known?.viewer?.login ?? WORKFLOW_AUTHOR;
	const head = known?.repository?.pullRequest?.headRefOid;
	if (head !== void 0) return ok({
		author,
		headSha: head
	});
	const rest = await github.ask({
		operation: "read the pull request",
		permission: "pull-requests: write",
		route: "GET /repos/{owner}/{repo}/pulls/{pull_number}",
		parameters: { pull_number: pullRequest },
		answer: PullRequest
	});
	return rest.ok ? ok({
		author,
		headSha: rest.value.data.head.sha
	}) : err(rest.error);
}

// src/github/comment-marker.ts
const MARKER = /^<!-- scangate:v1 check=([0-9a-f]{16}) head=([0-9a-f]{40,64}) run=(\d{1,15}) attempt=(\d{1,15}) -->$/;
/** One HTML comment. The check's name may hold anything, so only its hash stands in it. */
function markerLine({ checkName, headSha, runId, runAttempt }) {
	return `<!-- scangate:v1 check=${hashOf(checkName)} head=${headSha} run=${runId} attempt=${runAttempt} -->`;
}
/** The marker in a comment's first line, if it is one of this check's. Anything else is somebody else's comment. */
function readMarker(comment, checkName) {
	const [line = ""] = comment.split(/\r?\n/, 1);
	const [, hash, headSha = "", runId, runAttempt] = MARKER.exec(line) ?? [];
	if (hash !== hashOf(checkName) || !isCommitId(headSha)) return void 0;
	return {
		checkName,
		headSha,
		runId: Number(runId),
		runAttempt: Number(runAttempt)
	};
}
/** Was `a` written by a later run, or a later attempt of the same run, than `b`? */
function isLater(a, b) {
	return a.runId === b.runId ? a.runAttempt > b.runAttempt : a.runId > b.runId;
}
/** Does the comment already say this? Its marker and the links to the run that wrote it do not count. */
function saysTheSame(comment, body) {
	return essence(comment.replace(/^.*\r?\n?/, "")) === essence(body);
}
function essence(text) {
	return text.replace(/\r\n/g, "\n").replace(/\/actions\/runs\/\d+(?:\/(?:attempts|job)\/\d+)*/g, "/actions/runs/").trim();
}
function hashOf(checkName) {
	return createHash("sha256").update(checkName).digest("hex").slice(0, 16);
}

// src/github/comment-list.ts
const Comments = array(object({
	id: number(),
	html_url: optional(WebAddress),
	body: nullish(string()),
	user: nullish(object({
		login: string(),
		type: optional(string())
	}))
}));
/** GitHub takes at most 2,500 comments on a pull request; twice that is a list that does not end. */
const MOST_PAGES$1 = 50;
/** Every comment that carries this check's marker **and** was written by us, the oldest first. */
async function listOwnComments(github, pullRequest, checkName, author) {
	const own = [];
	for (let page = 1; page <= MOST_PAGES$1; page += 1) {
		const answer = await github.ask({
			operation: "read the comments of the pull request",
			permission: "pull-requests: write",
			route: "GET /repos/{owner}/{repo}/issues/{issue_number}/comments",
			parameters: {
				issue_number: pullRequest,
				per_page: 100,
				page
			},
			answer: Comments
		});
		if (!answer.ok) return err(answer.error);
		for (const { id, html_url: url, body, user } of answer.value.data) {
			const marker = user != null && isBy(user, author) ? readMarker(body ?? "", checkName) : void 0;
			if (marker !== void 0) own.push({
				id,
				url,
				body: body ?? "",
				marker
			});
		}
		if (!answer.value.hasNextPage) break;
	}
	return ok(own.sort((a, b) => a.id - b.id));
}
/** An app writes as `name[bot]`, of type Bot; nobody can take that login as a person. */
function isBy(user, author) {
	const login = user.login.toLowerCase();
	const wanted = author.toLowerCase();
	if (wanted.endsWith("[bot]")) return login === wanted && user.type === "Bot";
	return login === wanted || login === `${wanted}[bot]` && user.type === "Bot";
}

// src/github/comment.ts
const permission = "pull-requests: write";
const Written = object({
	id: number(),
	html_url: optional(WebAddress)
});
/**
* Brings this check's one comment up to date: created, updated in place, or left alone when it already says this,
* when the pull request's head is no longer ours, or when a later run wrote for the same head. After every write
* the list is read again, because another run may have written meanwhile: the oldest comment stays, and the
* latest run's text stands in it. A refusal is `forbidden`, naming the permission.
*/
async function syncComment(github, wanted) {
	const { pullRequest, checkName, headSha, body } = wanted;
	const situation = await readCommentSituation(github, pullRequest);
	if (!situation.ok) return err(asRefusal(situation.error));
	if (situation.value.headSha !== headSha) return ok({
		url: void 0,
		action: "superseded"
	});
	const list = () => listOwnComments(github, pullRequest, checkName, situation.value.author);
	const before = await list();
	if (!before.ok) return err(asRefusal(before.error));
	const marker = markerOf(wanted);
	const later = before.value.find((own) => own.marker.headSha === headSha && isLater(own.marker, marker));
	if (later !== void 0) return ok({
		url: later.url,
		action: "superseded"
	});
	const [oldest, ...surplus] = before.value;
	if (oldest === void 0 && !wanted.mayCreate) return ok({
		url: void 0,
		action: "none"
	});
	if (oldest !== void 0 && saysTheSame(oldest.body, body)) {
		await removeAll(github, surplus);
		return ok({
			url: oldest.url,
			action: "unchanged"
		});
	}
	const written = oldest === void 0 ? await create(github, wanted, list) : await update(github, oldest.id, wanted);
	if (!written.ok) return err(asRefusal(written.error));
	const action = oldest === void 0 ? "created" : "updated";
	const after = await list();
	if (!after.ok) return ok({
		url: written.value.html_url,
		action
	});
	return settle(github, wanted, written.value, action, after.value);
}
/** What is to be done about comments that other runs wrote while we did. */
async function settle(github, wanted, written, action, after) {
	const marker = markerOf(wanted);
	const [oldest, ...surplus] = after;
	const later = after.find((own) => isLater(own.marker, marker));
	if (later !== void 0) {
		if (oldest?.id !== written.id) await removeAll(github, surplus.filter((own) => own.id === written.id));
		return ok({
			url: later.url,
			action: "superseded"
		});
	}
	if (oldest === void 0) return ok({
		url: written.html_url,
		action
	});
	if (isLater(marker, oldest.marker)) {
		const again = await update(github, oldest.id, wanted);
		if (!again.ok) return err(asRefusal(again.error));
	}
	await removeAll(github, surplus);
	return ok({
		url: oldest.url ?? written.html_url,
		action: oldest.id === written.id ? action : "updated"
	});
}
/** After an answer that was lost the list is read before anything is sent again. */
async function create(github, wanted, list) {
	const send = () => github.ask({
		operation: "comment on the pull request",
		permission,
		route: "POST /repos/{owner}/{repo}/issues/{issue_number}/comments",
		parameters: {
			issue_number: wanted.pullRequest,
			body: textOf(wanted)
		},
		answer: Written
	});
	let answer = await send();
	if (!answer.ok && answer.error.mayHaveHappened && answer.error.kind !== "stopped") {
		const now = await list();
		if (!now.ok) return answer;
		const found = now.value.find((own) => markerLine(own.marker) === markerLine(markerOf(wanted)));
		if (found !== void 0) return ok({
			id: found.id,
			html_url: found.url
		});
		answer = await send();
	}
	return answer.ok ? ok(answer.value.data) : answer;
}
async function update(github, id, wanted) {
	const answer = await github.ask({
		operation: "update the comment on the pull request",
		permission,
		route: "PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}",
		parameters: {
			comment_id: id,
			body: textOf(wanted)
		},
		answer: Written
	});
	return answer.ok ? ok(answer.value.data) : answer;
}
/** A surplus comment that stays is untidy, not wrong: the next run removes it. */
async function removeAll(github, comments) {
	for (const { id } of comments) await github.ask({
		operation: "remove a surplus comment",
		permission,
		route: "DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}",
		parameters: { comment_id: id },
		answer: unknown()
	});
}
function markerOf({ checkName, headSha, runId, runAttempt }) {
	return {
		checkName,
		headSha,
		runId,
		runAttempt
	};
}
function textOf(wanted) {
	return `${markerLine(markerOf(wanted))}\n${wanted.body}`;
}
/** Tokens that may not comment are told so by 403, or by a 404 that hides the pull request from them. */
function asRefusal(error) {
	return error.kind === "not-found" ? {
		...error,
		kind: "forbidden"
	} : error;
}

// src/report/comment.ts
/** GitHub takes 65,536 characters; the rest is for the marker line and its state. */
const COMMENT_LIMIT = 6e4;
/** The sentences that say what was left out, and the fold around the triaged findings. */
const ROOM_FOR_NOTES = 1500;
const ROOM_FOR_TRIAGED = 8e3;
/** Of each text of a finding, so that one long proof does not hide the others. */
const LONGEST_TEXT = 4e3;
/** The pull request's comment, at most `COMMENT_LIMIT` characters, without a marker. */
function renderComment(report) {
	const { findings } = report.verdict;
	const top = [
		headingSection(report),
		leadSection(report),
		severityTable(report)
	];
	const bottom = [noticesSection(report), scanSection(report)];
	const triaged = fitted(report, findings.triaged, ROOM_FOR_TRIAGED);
	const around = toText(join$1([
		...top,
		triagedSection(triaged),
		...bottom
	], BLANK_LINE)).length;
	const reported = fitted(report, findings.reported, COMMENT_LIMIT - around - ROOM_FOR_NOTES);
	const middle = [
		reported.markdown,
		leftOutNote(report, reported),
		belowNote(report),
		triagedSection(triaged)
	];
	return toText(join$1([
		...top,
		...middle,
		...bottom
	], BLANK_LINE));
}
function fitted(report, findings, room) {
	return fitFindings(findingBlocks(findings, report), {
		room,
		sizeOf: (text) => text.length
	}, LONGEST_TEXT);
}
function leftOutNote(report, list) {
	const where = link("job summary", report.runUrl, allowedLinks(report));
	const parts = [];
	if (list.withoutDetails > 0) parts.push(md`${countOf(list.withoutDetails, "finding")} above without the details, which are in the ${where}.`);
	if (list.leftOut > 0) parts.push(md`**${countOf(list.leftOut, "more finding")} did not fit here** and can be read in the ${where}.`);
	return join$1(parts, md` `);
}
function belowNote(report) {
	const { below } = report.verdict.findings;
	if (below.length === 0) return NOTHING;
	const where = link("job summary", report.runUrl, allowedLinks(report));
	return md`${countOf(below.length, "finding")} below ${report.policy.severityThreshold} can be read in the ${where}.`;
}
function triagedSection(list) {
	const total = list.listed + list.leftOut;
	if (total === 0) return NOTHING;
	const more = list.leftOut === 0 ? NOTHING : md`${list.leftOut} more in the job summary.`;
	const body = join$1([list.markdown, more], BLANK_LINE);
	return md`<details><summary>${countOf(total, "finding")} closed by triage in the scanning service</summary>\n\n${body}\n\n</details>`;
}

// src/deliver/comment.ts
/** Brings the pull request's comment up to date. Returns its address, where there is one. */
async function deliverComment({ github, environment, inputs, log }, report, notice) {
	const pullRequest = report.target?.pullRequest?.number;
	if (pullRequest === void 0 || report.target === void 0 || inputs.comment === "never") return void 0;
	const synced = await syncComment(github, {
		pullRequest,
		headSha: report.target.headSha,
		checkName: inputs.checkName,
		runId: environment.runId,
		runAttempt: environment.runAttempt,
		body: renderComment(report),
		mayCreate: inputs.comment === "always" || report.verdict.findings.reported.length > 0
	});
	if (!synced.ok) {
		notice(explainGitHubError(synced.error));
		return;
	}
	if (synced.value.action === "superseded") log.info("The comment was left alone: it belongs to a newer commit or a later run.");
	return synced.value.url;
}

// src/report/finding-lines.ts
/** The reported findings for the log, worst first, one line each. Not yet escaped for the log. */
function findingLines({ verdict }) {
	const blocking = new Set(verdict.findings.blocking);
	return verdict.findings.reported.map((finding) => {
		const { label, severity, title, location } = finding;
		const place = location === void 0 ? "no place given" : placeText(location);
		const gate = blocking.has(finding) ? ", blocks" : "";
		return `${severityWord(severity)}: ${title} (${label}), ${place}, ${evidenceWords(finding)}${gate}`;
	});
}
function placeText({ path, startLine }) {
	return startLine === void 0 ? path : `${path}:${startLine}`;
}

// src/deliver/job-log.ts
/** The log is readable without the other places: every reported finding in a line, the verdict last. */
function deliverToLog(log, report) {
	const { reported } = report.verdict.findings;
	if (reported.length > 0) log.group(`Findings (${reported.length})`, findingLines(report));
	const { words, cause, nextStep } = headline(report.verdict, report.policy);
	const text = `${words}${cause === void 0 ? "." : `: ${cause}`} ${nextStep}`;
	if (report.verdict.exitCode === 0) log.info(text);
	else log.error(text);
}

// src/deliver/log-annotations.ts
/**
* The next best place for annotations: log commands. What the runner would drop in silence is counted.
* @param leftOutBefore findings that got no annotation anyway
*/
function annotateInLog(log, annotations, leftOutBefore) {
	const leftOut = annotations.filter((annotation) => !log.annotate(annotation)).length + leftOutBefore;
	if (leftOut === 0) return;
	const findings = leftOut === 1 ? "1 more finding is" : `${leftOut} more findings are`;
	log.info(`${findings} not annotated, because there is a limit; the job summary lists all of them.`);
}

// src/report/json-report.ts
/** Raised when a member changes its meaning or goes away; new members may come at any time. */
const SCHEMA_VERSION = 1;
/** What a reader of the file could not see; the line feeds are ours. */
const INVISIBLE$1 = /(?!\n)[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/gu;
/**
* The report for programs: JSON with a fixed order of members, `null` where there is no value.
* It never holds the published page's password, nor a proof of concept of a public repository.
*/
function renderJsonReport(report) {
	const { verdict, policy, target, diffBase, scan } = report;
	const { words, cause, nextStep } = headline(verdict, policy);
	const { findings } = verdict;
	const scanned = verdict.outcome === "passed" || verdict.outcome === "blocked";
	const document = {
		schemaVersion: SCHEMA_VERSION,
		date: report.date.toISOString(),
		outcome: verdict.outcome,
		reason: verdict.stop?.reason ?? null,
		allowed: verdict.allowed,
		exitCode: verdict.exitCode,
		headline: words,
		cause: cause ?? null,
		nextStep,
		policy: {
			severityThreshold: policy.severityThreshold,
			failOn: policy.failOn,
			failOnEvidence: policy.failOnEvidence,
			allowUnscanned: policy.allowUnscanned
		},
		repository: target === void 0 ? null : `${target.repository.owner}/${target.repository.name}`,
		pullRequest: target?.pullRequest?.number ?? null,
		baseCommit: diffBase?.baseCommit ?? null,
		baseFoundBy: diffBase?.how ?? null,
		headCommit: headCommit(report) ?? null,
		scan: {
			id: report.scanId ?? null,
			status: scan?.status ?? null,
			reused: report.reused,
			preset: report.preset?.ref ?? null,
			creditsReserved: report.creditsReserved ?? null
		},
		links: {
			run: report.runUrl,
			checkRun: report.checkRunUrl ?? null,
			published: report.publication?.url ?? null
		},
		notices: report.notices,
		counts: scanned ? {
			total: findings.total,
			reported: findings.reported.length,
			blocking: findings.blocking.length,
			below: findings.below.length,
			triaged: findings.triaged.length,
			severities: findings.counts,
			highest: findings.highest ?? null
		} : null,
		findings: scanned ? findingsOf(report) : null
	};
	return `${harmless(JSON.stringify(document, null, 2))}\n`;
}
/** The same values, written so that the runner obeys nothing when a later step prints the file. */
function harmless(json) {
	return json.replaceAll("##[", "##\\u005b").replace(INVISIBLE$1, (character) => {
		return Array.from({ length: character.length }, (_, index) => character.charCodeAt(index)).map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
	});
}
function findingsOf(report) {
	const { reported, below, triaged, blocking } = report.verdict.findings;
	const blocks = new Set(blocking);
	const write = (group) => (finding) => ({
		id: finding.id ?? null,
		label: finding.label,
		group,
		blocks: blocks.has(finding),
		severity: finding.severity.level.toUpperCase(),
		severityWord: finding.severity.word,
		triage: finding.triage ?? null,
		evidence: finding.evidence ?? null,
		resolution: finding.resolution ?? null,
		title: finding.title,
		path: finding.location?.path ?? null,
		startLine: finding.location?.startLine ?? null,
		endLine: finding.location?.endLine ?? null,
		url: finding.url ?? null,
		description: finding.description ?? null,
		recommendedFix: finding.recommendedFix ?? null,
		proofOfConcept: (showsProof(report) ? finding.proofOfConcept : void 0) ?? null
	});
	return [
		...reported.map(write("reported")),
		...below.map(write("below")),
		...triaged.map(write("triaged"))
	];
}

// src/report-file.ts
/**
* Writes a file inside the workspace, making its folders. Throws when the place lies outside once symbolic links
* are resolved, or when the file itself is a link: the workspace may hold a pull request's files.
* @param file absolute path
*/
async function writeInside(workspace, file, text) {
	const root = await realpath(workspace);
	let folder = root;
	const steps = path.relative(path.resolve(workspace), path.dirname(file)).split(path.sep).filter((step) => step !== "");
	for (const step of steps) {
		const next = path.join(folder, step);
		await mkdir(next).catch((error) => {
			if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
		});
		folder = await realpath(next);
		if (folder !== root && !folder.startsWith(root + path.sep)) throw new Error("the folder leads out of the workspace");
	}
	const flags = constants$1.O_WRONLY | constants$1.O_CREAT | constants$1.O_TRUNC | (constants$1.O_NOFOLLOW ?? 0);
	const handle = await open(path.join(folder, path.basename(file)), flags, 420);
	try {
		await handle.writeFile(text);
	} finally {
		await handle.close();
	}
}

// src/deliver/report-file.ts
/** Writes the JSON report, where one is wanted and something was scanned. Returns its path; throws as `writeInside`. */
async function deliverReportFile({ inputs, workspace }, report) {
	const { outcome } = report.verdict;
	if (inputs.reportFile === void 0 || outcome !== "passed" && outcome !== "blocked") return void 0;
	await writeInside(workspace, inputs.reportFile, renderJsonReport(report));
	return inputs.reportFile;
}

// src/deliver.ts
/**
* Hands the report to every place. A place that fails is a warning, shown in the places that come after it;
* it never changes the verdict, and never keeps another place from getting the report.
* @param checkRun undefined where there is no commit to put one on
*/
async function deliver(world, report, checkRun) {
	const { log } = world;
	const notices = [...report.notices];
	const notice = (sentence) => {
		notices.push(sentence);
		log.warning(sentence);
	};
	await attempt("log", notice, async () => deliverToLog(log, report));
	const annotated = (world.inputs.annotations === "off" ? void 0 : await attempt("annotations", notice, async () => toAnnotations(report))) ?? NO_ANNOTATIONS;
	const begun = checkRun?.started?.ok ? checkRun.started.value : void 0;
	let shown = {
		url: begun?.url,
		completed: false,
		unshown: annotated.annotations
	};
	const now = () => ({
		...report,
		checkRunUrl: shown.url,
		notices: [...notices]
	});
	const [completed, commentUrl] = await Promise.all([checkRun && attempt("check run", notice, () => deliverCheckRun(world, now(), checkRun, annotated.annotations, notice)), attempt("comment", notice, () => deliverComment(world, now(), notice))]);
	shown = completed ?? shown;
	const reportFile = await attempt("JSON report", notice, () => deliverReportFile(world, now()));
	if (shown.unshown.length > 0) annotateInLog(log, shown.unshown, annotated.leftOut);
	await attempt("job summary", notice, () => writeJobSummary(renderSummary(now())));
	return {
		checkRunUrl: shown.url,
		commentUrl,
		reportFile,
		checkRunInProgress: begun !== void 0 && !shown.completed ? begun.id : void 0
	};
}
const NO_ANNOTATIONS = {
	annotations: [],
	leftOut: 0
};

// src/git/git-command.ts
/** How long pipes may stay open after git has ended, in milliseconds. */
const PIPE_DELAY_MS = 1e3;
/**
* Runs git on the repository at `gitDir` and nowhere else, silently. Undefined when `signal` ended it.
* Throws where git cannot be started.
*/
async function runGit(gitDir, args, options) {
	const { env, signal } = options;
	if (signal.aborted) return void 0;
	const gitDirArgument = `--git-dir=${gitDir}`;
	let child;
	const announced = (message) => {
		const started = startedProcess(message);
		if (started === void 0) return;
		queueMicrotask(() => {
			if (!started.spawnargs?.includes(gitDirArgument)) return;
			child = started;
			if (signal.aborted) end(child);
		});
	};
	const stop = () => end(child);
	subscribe("child_process", announced);
	signal.addEventListener("abort", stop, { once: true });
	try {
		const answer = await getExecOutput("git", [gitDirArgument, ...args], {
			silent: true,
			ignoreReturnCode: true,
			cwd: gitDir,
			env: { ...env },
			delay: PIPE_DELAY_MS
		});
		return signal.aborted ? void 0 : answer;
	} finally {
		unsubscribe("child_process", announced);
		signal.removeEventListener("abort", stop);
	}
}
function startedProcess(message) {
	if (typeof message !== "object" || message === null || !("process" in message)) return void 0;
	return message.process instanceof ChildProcess ? message.process : void 0;
}
/** Git's own helper for https may outlive it for as long as its low-speed limit: it must not hold our pipes open. */
function end(child) {
	child?.kill("SIGKILL");
	child?.stdout?.destroy();
	child?.stderr?.destroy();
}

// src/git/git-environment.ts
/** Variables with which administrators tell git about their network; every other `GIT_` variable is dropped. */
const KEPT = /* @__PURE__ */ new Set([
	"GIT_CONFIG_GLOBAL",
	"GIT_CONFIG_NOSYSTEM",
	"GIT_CONFIG_SYSTEM",
	"GIT_EXEC_PATH",
	"GIT_HTTP_PROXY_AUTHMETHOD",
	"GIT_SSL_CAINFO",
	"GIT_SSL_CAPATH"
]);
/** A transfer that stands still for this long ends by itself, in seconds. */
const STANDSTILL_SECONDS = 30;
/**
* The environment of a git that talks to one repository of one server, and runs and asks nothing.
* The token stands in the environment alone, and is sent to this repository's address alone.
*/
function gitEnvironment(inherited, remote) {
	const env = {};
	for (const [name, value] of Object.entries(inherited)) {
		if (value === void 0) continue;
		if (!(name.startsWith("GIT_") ? !KEPT.has(name) : /^(?:INPUT|STATE|ACTIONS)_/.test(name))) env[name] = value;
	}
	const credentials = Buffer.from(`x-access-token:${remote.token}`).toString("base64");
	const config = [
		["core.hooksPath", devNull],
		["credential.helper", ""],
		["fetch.recurseSubmodules", "false"],
		["fetch.writeCommitGraph", "false"],
		["gc.auto", "0"],
		["http.followRedirects", "false"],
		["http.lowSpeedLimit", "1"],
		["http.lowSpeedTime", String(STANDSTILL_SECONDS)],
		["http.sslVerify", "true"],
		["maintenance.auto", "false"],
		[`http.${remote.url}.extraheader`, ""],
		[`http.${remote.url}.extraheader`, `AUTHORIZATION: basic ${credentials}`]
	];
	config.forEach(([key, value], index) => {
		env[`GIT_CONFIG_KEY_${index}`] = key;
		env[`GIT_CONFIG_VALUE_${index}`] = value;
	});
	return {
		...env,
		GIT_CONFIG_COUNT: String(config.length),
		GIT_ALLOW_PROTOCOL: new URL(remote.url).protocol.slice(0, -1),
		GIT_TERMINAL_PROMPT: "0",
		GIT_ASKPASS: "",
		SSH_ASKPASS: "",
		GIT_NO_LAZY_FETCH: "1",
		LC_ALL: "C"
	};
}

// src/git/merge-base.ts
/** Everything together, in milliseconds. */
const GIT_LIMIT_MS = 3e4;
const BASE_REF = "refs/scangate/base";
const HEAD_REF = "refs/scangate/head";
/**
* The merge base by git alone, on the whole commit graph: commits without trees and files, fetched into a scratch
* repository that is removed afterwards. The user's checkout is neither read nor written. Never from a shallow
* history: there `git merge-base` can print an older ancestor and call it right.
*/
async function mergeBaseByGit(question) {
	const { serverUrl, owner, repo, token, head, base, clock, signal } = question;
	const baseId = base.kind === "commit" ? base.sha : head;
	if (!isCommitId(head) || !isCommitId(baseId)) return unavailable("base or head is not a full commit id");
	if (base.kind === "branch" && !isRefName(base.name)) return unavailable("the name of the base branch is none that git allows");
	const url = `${serverUrl}/${owner}/${repo}`;
	const limit = new AbortController();
	const over = new AbortController();
	clock.sleep(GIT_LIMIT_MS, over.signal).then(() => limit.abort());
	const running = AbortSignal.any([signal, limit.signal]);
	let scratch;
	try {
		scratch = await mkdtemp(join(question.runnerTemp ?? tmpdir(), "scangate-git-"));
		const env = gitEnvironment(process.env, {
			url,
			token
		});
		const gitDir = scratch;
		const answer = await compute((args) => runGit(gitDir, args, {
			env,
			signal: running
		}), url, question);
		if (answer !== void 0) return answer;
		return unavailable(signal.aborted ? "the run was stopped" : `git took over ${GIT_LIMIT_MS / 1e3} seconds`);
	} catch (error) {
		return unavailable(error instanceof Error ? oneLine(error.message, token) : "git could not be started");
	} finally {
		over.abort();
		if (scratch !== void 0) await rm(scratch, {
			recursive: true,
			force: true,
			maxRetries: 3
		}).catch(() => {});
	}
}
/** Undefined when git was stopped. */
async function compute(git, url, { base, head, pullRequest, token }) {
	const init = await git([
		"init",
		"--quiet",
		"--bare",
		"--template=",
		...head.length === 64 ? ["--object-format=sha256"] : []
	]);
	if (init === void 0) return void 0;
	if (init.exitCode !== 0) return unavailable(oneLine(init.stderr, token));
	const baseSource = base.kind === "branch" ? `refs/heads/${base.name}` : base.sha;
	let fetched = await fetchGraph(git, url, baseSource, head);
	if (fetched !== void 0 && fetched.exitCode !== 0 && pullRequest !== void 0 && isRefusedId(fetched)) fetched = await fetchGraph(git, url, baseSource, `refs/pull/${pullRequest}/head`);
	if (fetched === void 0) return void 0;
	if (fetched.exitCode !== 0) return unavailable(oneLine(fetched.stderr, token));
	const shown = await git([
		"rev-parse",
		"--verify",
		"--quiet",
		HEAD_REF
	]);
	if (shown === void 0) return void 0;
	if (shown.stdout.trim() !== head) return unavailable("the pull request has another head by now");
	const answer = await git([
		"merge-base",
		"--all",
		BASE_REF,
		HEAD_REF
	]);
	if (answer === void 0) return void 0;
	if (answer.exitCode === 1 && answer.stdout === "" && answer.stderr === "") return err({
		kind: "no-common-ancestor",
		detail: "base and head share no commit"
	});
	if (answer.exitCode !== 0) return unavailable(oneLine(answer.stderr, token));
	const [mergeBase, ...others] = answer.stdout.split("\n").filter((line) => line !== "");
	if (others.length > 0) return err({
		kind: "several",
		detail: `base and head have ${others.length + 1} merge bases`
	});
	if (mergeBase === void 0 || !isCommitId(mergeBase)) return unavailable("git answered no commit id");
	return ok(mergeBase);
}
/** All commits of both sides, and no trees and files where the server can leave them out. */
function fetchGraph(git, url, base, head) {
	const flags = [
		"--quiet",
		"--filter=tree:0",
		"--no-tags",
		"--no-write-fetch-head",
		"--no-recurse-submodules"
	];
	const refs = [`+${base}:${BASE_REF}`, `+${head}:${HEAD_REF}`];
	return git([
		"fetch",
		...flags,
		"--end-of-options",
		url,
		...refs
	]);
}
function isRefusedId({ stderr }) {
	return /not our ref|unadvertised object/i.test(stderr);
}
/** The characters that `git check-ref-format` refuses; with them a refspec would mean something else. */
function isRefName(name) {
	return name !== "" && !/[\s\p{Cc}~^:?*[\\]|\.\.|@\{/u.test(name);
}
function unavailable(detail) {
	return err({
		kind: "unavailable",
		detail: detail === "" ? "git failed without a word" : detail
	});
}
/** Git's last complaint, without the token should a server echo it. */
function oneLine(stderr, token) {
	const lines = stderr.split("\n").filter((line) => line.trim() !== "");
	const line = lines.findLast((each) => /^(?:fatal|error|remote):/.test(each)) ?? lines.at(-1) ?? "";
	const encoded = Buffer.from(`x-access-token:${token}`).toString("base64");
	return (token === "" ? line : line.replaceAll(token, "***").replaceAll(encoded, "***")).replace(/[\s\p{Cc}]+/gu, " ").trim().slice(0, 300).toWellFormed();
}

// src/github/compare.ts
const CommitId$1 = pipe(string(), check(isCommitId, "not a full commit id"));
const MergeBaseAnswer = object({ merge_base_commit: optional(object({ sha: CommitId$1 })) });
const FilesAnswer = object({ files: array(unknown()) });
const COMPARE = "GET /repos/{owner}/{repo}/compare/{basehead}";
/**
* The merge base of the target's base and head, in one request. It asks for the second page, because the first
* carries up to 300 files with their patches; where that page names no merge base, the first one does.
*/
async function mergeBaseByCompare(github, target) {
	const base = target.base.kind === "branch" ? target.base.name : target.base.sha;
	for (const page of [2, 1]) {
		const answer = await github.ask({
			operation: "read GitHub's comparison of base and head",
			permission: "contents: read",
			route: COMPARE,
			parameters: {
				basehead: `${base}...${target.headSha}`,
				per_page: 1,
				page
			},
			answer: MergeBaseAnswer
		});
		if (!answer.ok) return err(await compareFault(github, target, answer.error));
		const mergeBase = answer.value.data.merge_base_commit?.sha;
		if (mergeBase !== void 0) return ok({ mergeBase });
	}
	return err({
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
/** Does GitHub's comparison list no file? An answer that shows no list of files is an error, not "empty". */
async function comparisonIsEmpty(github, base, head) {
	const answer = await github.ask({
		operation: "read the files that changed",
		permission: "contents: read",
		route: COMPARE,
		parameters: {
			basehead: `${base}...${head}`,
			per_page: 1,
			page: 1
		},
		answer: FilesAnswer
	});
	return answer.ok ? ok(answer.value.data.files.length === 0) : answer;
}
async function compareFault(github, target, error) {
	if (error.kind === "stopped") return { kind: "stopped" };
	if (error.kind !== "not-found") return {
		kind: "unavailable",
		error
	};
	if (/^no common ancestor/i.test(error.message)) return notScanned$1(NO_COMMON_ANCESTOR);
	if (target.base.kind === "branch") {
		const branch = target.base.name;
		const answer = await github.ask({
			operation: "read the base branch",
			permission: "contents: read",
			route: "GET /repos/{owner}/{repo}/git/ref/{ref}",
			parameters: { ref: `heads/${branch}` },
			answer: object({ ref: literal(`refs/heads/${branch}`) })
		});
		if (!answer.ok && answer.error.kind === "stopped") return { kind: "stopped" };
		if (!answer.ok && answer.error.kind === "not-found") return notScanned$1(baseBranchGone(branch));
		if (!answer.ok) return {
			kind: "unavailable",
			error: answer.error
		};
	}
	return notScanned$1(commitUnknown(target));
}
/** Also for the way without the API: the same state deserves the same words. */
const NO_COMMON_ANCESTOR = {
	reason: "configuration",
	cause: "The head has no common ancestor with the base branch, so there is no change to measure.",
	nextStep: "Rebase the pull request onto its base branch, or name the commit to measure from in `base-commit`."
};
function baseBranchGone(branch) {
	return {
		reason: "configuration",
		cause: `GitHub shows no base branch ${JSON.stringify(branch)}: it was deleted or renamed, or the token may not read the repository.`,
		nextStep: "Point the pull request at a branch that exists; if it does, add `contents: read` to the job's `permissions`."
	};
}
function commitUnknown(target) {
	return {
		reason: "configuration",
		cause: `GitHub does not know the commit ${target.base.kind === "commit" ? `${target.base.sha} or ${target.headSha}` : target.headSha} in this repository: it was probably replaced by a force push.`,
		nextStep: "Look at the run of the newest commit, or push again."
	};
}
function notScanned$1(stop) {
	return {
		kind: "not-scanned",
		stop
	};
}

// src/diff-base.ts
/**
* The commit from which the target's change is measured: the input if given, else the true merge base, by GitHub's
* comparison, else by git on the full commit graph. Never a guess: what cannot be known is a stop.
* @param given the input `base-commit`
*/
async function findDiffBase(world, target, given) {
	const headCommit = target.headSha;
	if (given !== void 0) return ok({
		baseCommit: given,
		headCommit,
		how: "input"
	});
	const compared = await mergeBaseByCompare(world.github, target);
	if (compared.ok) return ok({
		baseCommit: compared.value.mergeBase,
		headCommit,
		how: "compare"
	});
	if (compared.error.kind === "not-scanned") return err(compared.error.stop);
	if (compared.error.kind === "stopped") return err(nothingLaunched(world.signal));
	const fetched = await mergeBaseByGit({
		serverUrl: world.environment.serverUrl,
		owner: world.environment.owner,
		repo: world.environment.repo,
		token: world.githubToken,
		base: target.base,
		head: headCommit,
		pullRequest: target.pullRequest?.number,
		runnerTemp: world.environment.runnerTemp,
		clock: world.clock,
		signal: world.signal
	});
	if (fetched.ok) return ok({
		baseCommit: fetched.value,
		headCommit,
		how: "git"
	});
	switch (fetched.error.kind) {
		case "no-common-ancestor": return err(NO_COMMON_ANCESTOR);
		case "several": return err({
			reason: "configuration",
			cause: "Base and head have several merge bases, and GitHub, whose choice counts, could not be asked for it.",
			nextStep: "Run again, merge the base branch into the pull request, or name the commit in `base-commit`."
		});
		case "unavailable":
			if (world.signal.aborted) return err(nothingLaunched(world.signal));
			return err({
				reason: "service-error",
				cause: `The merge base could not be computed. ${explainGitHubError(compared.error.error)} Git did not help either: ${fetched.error.detail}`,
				nextStep: "Run again later; if it stays so, grant `contents: read`, or name the commit in `base-commit`."
			});
	}
}
function nothingLaunched(signal) {
	return explainStop(stopCause(signal) ?? "signal", "nothing was launched");
}

// src/github/event.ts
const SUPPORTED = "pull_request, pull_request_target and merge_group";
const DEPENDABOT = "dependabot[bot]";
const CommitId = pipe(string(), check(isCommitId, "not a full commit id"));
const Repository = object({
	full_name: string(),
	visibility: optional(string()),
	private: optional(boolean())
});
const PullRequestPayload = object({
	action: optional(string()),
	repository: Repository,
	pull_request: object({
		number: pipe(number(), integer(), minValue(1)),
		state: optional(string()),
		author_association: optional(string(), "NONE"),
		/** Null when the author's account was deleted. */
		user: nullish(object({ login: string() })),
		head: object({
			sha: CommitId,
			/** Null when the fork was deleted. */
			repo: nullish(object({ full_name: string() }))
		}),
		base: object({
			ref: pipe(string(), minLength(1)),
			repo: object({ full_name: string() })
		})
	})
});
const MergeGroupPayload = object({
	action: string(),
	repository: Repository,
	merge_group: object({
		head_sha: CommitId,
		base_sha: CommitId
	})
});
/**
* What this event asks to be scanned. An event that has nothing to scan is an `unsupported-event` stop,
* a payload that is not what GitHub documents a `configuration` stop.
*/
function readTarget(environment, payload) {
	switch (environment.eventName) {
		case "pull_request":
		case "pull_request_target": return readPullRequest(environment, environment.eventName, payload);
		case "merge_group": return readMergeGroup(environment, payload);
		default: return unsupported(`the event ${JSON.stringify(environment.eventName)} names no change to scan`);
	}
}
function readPullRequest(environment, event, payload) {
	const parsed = safeParse(PullRequestPayload, payload);
	if (!parsed.success) return malformed(event, parsed.issues);
	const { action, repository, pull_request: pullRequest } = parsed.output;
	if (action === "closed" || pullRequest.state === "closed") return unsupported(`pull request #${pullRequest.number} is closed`);
	const { head, base } = pullRequest;
	const author = pullRequest.user?.login ?? "";
	const isFork = head.repo == null || head.repo.full_name.toLowerCase() !== base.repo.full_name.toLowerCase();
	return ok({
		event,
		repository: targetRepository(environment, repository),
		headSha: head.sha,
		base: {
			kind: "branch",
			name: base.ref
		},
		pullRequest: {
			number: pullRequest.number,
			author,
			authorAssociation: pullRequest.author_association,
			isFork,
			secretsWithheld: event === "pull_request" && (isFork || environment.actor === DEPENDABOT || author === DEPENDABOT)
		}
	});
}
function readMergeGroup(environment, payload) {
	const parsed = safeParse(MergeGroupPayload, payload);
	if (!parsed.success) return malformed("merge_group", parsed.issues);
	const { action, repository, merge_group: group } = parsed.output;
	if (action !== "checks_requested") return unsupported(`a merge_group event of type ${JSON.stringify(action)} asks for no checks`);
	return ok({
		event: "merge_group",
		repository: targetRepository(environment, repository),
		headSha: group.head_sha,
		base: {
			kind: "commit",
			sha: group.base_sha
		},
		pullRequest: void 0
	});
}
function targetRepository(environment, repository) {
	const { visibility, private: isPrivate } = repository;
	return {
		owner: environment.owner,
		name: environment.repo,
		isPublic: visibility === void 0 ? isPrivate !== true : visibility === "public"
	};
}
function unsupported(why) {
	return err({
		reason: "unsupported-event",
		cause: `There is nothing to scan: ${why}.`,
		nextStep: `Let the workflow run on ${SUPPORTED} events of open changes.`
	});
}
function malformed(event, issues) {
	const path = getDotPath(issues[0]) ?? "the payload";
	return err({
		reason: "configuration",
		cause: `The payload of the ${event} event is not what GitHub documents: ${path} is missing or malformed.`,
		nextStep: "Run the workflow again; do not overwrite GITHUB_EVENT_PATH or GITHUB_EVENT_NAME."
	});
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

// src/scan-api/wire-writes.ts
/** The fields under the service's names; `launchParameters` merged last, a null there removes a field. */
function launchBody(fields, launchParameters = {}) {
	const members = Object.entries({
		...fields,
		...launchParameters
	});
	return Object.fromEntries(members.filter(([, value]) => value !== void 0 && value !== null));
}
/** The fields that a merged body really sends; undefined where it has none, or something else in its place. */
function readLaunchBody(body) {
	return {
		repositoryId: firstOf(body, ["repositoryId"], text),
		presetRef: firstOf(body, ["presetRef"], text),
		creditBudget: firstOf(body, ["creditBudget"], whole(0)),
		baseCommit: firstOf(body, ["baseCommit"], text),
		commit: firstOf(body, ["commit"], text)
	};
}
/** The fields of a merged body that no check can read, by name. `commit` is not among them: its form is assumed anyway. */
function unreadableFields(body) {
	const { commit: _, ...checked } = readLaunchBody(body);
	return Object.entries(checked).flatMap(([name, value]) => value === void 0 && Object.hasOwn(body, name) ? [name] : []);
}
function publishBody(gated) {
	return { withPassword: gated };
}

// src/scan/faults.ts
/**
* Several faults found together, as one: mended together, they cost one run instead of several. Where their reasons
* differ only those that somebody has to mend count: the others may pass by themselves.
*/
function combineFaults(faults) {
	const [first] = faults;
	const wrongSetup = faults.filter(({ reason }) => reason === "configuration");
	const told = wrongSetup.length > 0 ? wrongSetup : faults.filter(({ reason }) => reason === first.reason);
	const joined = (sentences) => [...new Set(sentences)].join(" ");
	return {
		...told[0] ?? first,
		cause: joined(told.map(({ cause }) => cause)),
		nextStep: joined(told.map(({ nextStep }) => nextStep))
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

// src/scan/preflight-reads.ts
/** One round of calls with `project-id`, two without: then the token names the project. */
async function readProject(api, given) {
	if (given !== void 0) {
		if (!isUsableId(given)) return err(unusableProjectId);
		const [token, repositories, presets] = await Promise.all([
			api.token(),
			api.repositories(given),
			api.presets(given)
		]);
		return ok({
			projectId: given,
			token,
			repositories,
			presets
		});
	}
	const token = await api.token();
	if (!token.ok) return err(explainApiError(token.error));
	const { projectId } = token.value;
	if (projectId === void 0) return err(projectNotShown);
	const [repositories, presets] = await Promise.all([api.repositories(projectId), api.presets(projectId)]);
	return ok({
		projectId,
		token,
		repositories,
		presets
	});
}
/** With `project-id` given only a refused token ends it: what the token may do will show. */
function usableToken(token) {
	if (token.ok) return ok({
		information: token.value,
		notices: []
	});
	const { error } = token;
	const unauthorized = "status" in error && error.status === 401;
	const stop = explainApiError(error);
	if (unauthorized || error.kind === "stopped") return err(stop);
	return ok({
		information: void 0,
		notices: [`The token's project, scopes and expiry could not be checked. ${stop.cause}`]
	});
}
/** Calls that failed for one and the same cause are told once; a refusal that a missing scope explains not at all. */
function readFaults(reads, scopesMissing) {
	const errors = reads.flatMap((read) => read.ok ? [] : [read.error]);
	return [...new Map(errors.toReversed().map((error) => [sameness(error), error])).values()].filter((error) => !(scopesMissing && error.kind === "refused" && error.code === "forbidden")).map((error) => explainApiError(error));
}
function sameness(error) {
	switch (error.kind) {
		case "refused": return `refused ${error.code}`;
		case "nonsense": return `nonsense ${error.problem} ${error.status}`;
		case "unreachable": return `unreachable ${error.cause}`;
		case "stopped": return "stopped";
	}
}
const unusableProjectId = {
	reason: "configuration",
	cause: "The input `project-id` is no id: 1 to 256 characters without control characters, not `.` or `..`.",
	nextStep: "Copy the project's id from its settings in the service, or leave the input empty."
};
const projectNotShown = {
	reason: "configuration",
	cause: "The service does not show which project the token belongs to.",
	nextStep: "Set the input `project-id` to the project's id."
};

// src/scan/listed.ts
/** Ours: more would hide the sentence they stand in. */
const MOST_SHOWN = 20;
/** Foreign words as one list for a sentence; what is left out is counted. */
function listed(words) {
	const shown = words.slice(0, MOST_SHOWN).map((word) => foreignLine(word));
	const more = words.length - shown.length;
	return `${shown.join(", ")}${more > 0 ? `, and ${more} more` : ""}`;
}

// src/scan/preset.ts
/** "diff" as a word of its own: no letter before or after it, in any case. */
const DIFF = /(?<!\p{L})diff(?!\p{L})/iu;
/** The preset that the input names by its `ref`; otherwise the project's only diff preset. Never a guess. */
function choosePreset(presets, ref) {
	const candidates = ref === void 0 ? presets.filter((preset) => DIFF.test(preset.ref) || DIFF.test(preset.name)) : presets.filter((preset) => preset.ref === ref).slice(0, 1);
	const [preset, ...others] = candidates;
	if (preset !== void 0 && others.length === 0) return ok(preset);
	const all = presets.length === 0 ? "none" : listed(presets.map(({ ref, name }) => `${ref} (${name})`));
	return err({
		reason: "configuration",
		cause: ref !== void 0 ? `The project has no preset with the ref ${foreignLine(ref)}.` : preset === void 0 ? "No preset of the project looks like a diff preset." : `${candidates.length} presets of the project look like diff presets.`,
		nextStep: `Set the input \`preset\` to the ref of a diff preset. The project's presets: ${all}.`
	});
}
/**
* Whole credits to reserve: what was asked for, otherwise the preset's minimum; undefined leaves the field out, so
* that the service applies its own floor.
*/
function chooseBudget(wanted, preset) {
	const { minCredits } = preset;
	if (wanted === void 0) return ok(minCredits === 0 ? void 0 : minCredits);
	if (wanted >= minCredits) return ok(wanted);
	return err({
		reason: "configuration",
		cause: `The budget of ${wanted} credits is below the minimum of the preset ${foreignLine(preset.ref)}, ${minCredits} credits.`,
		nextStep: `Set the input \`credit-budget\` to at least ${minCredits}, or leave it empty for that minimum.`
	});
}

// src/scan/repository.ts
/**
* The repository that the input names; otherwise the one of the same owner and name in any case, and among several
* the one whose `url` is on this GitHub server. Never two, never a guess.
*/
function chooseRepository(repositories, wanted) {
	const chosen = wanted.repositoryId === void 0 ? byName(repositories, wanted) : ok(repositories.find(({ id }) => id === wanted.repositoryId));
	if (!chosen.ok) return chosen;
	const fault = repositoryFault(chosen.value, wanted.repositoryId ?? `${wanted.owner}/${wanted.name}`);
	if (fault !== void 0 || chosen.value === void 0) return err(fault ?? notListed(wanted.name));
	return ok(chosen.value);
}
function byName(repositories, { owner, name, serverUrl }) {
	const same = repositories.filter((repository) => sameWord(repository.owner, owner) && sameWord(repository.name, name));
	if (same.length <= 1) return ok(same[0]);
	const here = same.filter(({ url }) => hostOf(url) === hostOf(serverUrl));
	if (here.length === 1) return ok(here[0]);
	return err({
		reason: "configuration",
		cause: `The project has ${same.length} repositories named ${foreignLine(`${owner}/${name}`)}.`,
		nextStep: `Set the input \`repository-id\` to one of: ${listed(same.map(({ id, url }) => `${id} (${url})`))}.`
	});
}
/** What makes a repository unfit for a scan, readiness aside. */
function repositoryFault(repository, wanted) {
	if (repository === void 0) return notListed(wanted);
	if (repository.status === "ACTIVE") return void 0;
	return {
		reason: "configuration",
		cause: `The repository ${foreignLine(wanted)} is ${foreignLine(repository.status, 60)} in the service, not ACTIVE.`,
		nextStep: "A project admin restores or adds the repository in the service, or `repository-id` names another."
	};
}
function notListed(wanted) {
	return {
		reason: "configuration",
		cause: `The project's repositories do not include ${foreignLine(wanted)}.`,
		nextStep: "Either it is not in the project, or it is outside the token's repository allowlist (the service does not say which): a project admin adds it to the project or to the token, or the input `repository-id` is corrected."
	};
}
function sameWord(a, b) {
	return a.toLowerCase() === b.toLowerCase();
}
/** The host of an address, `git@host:owner/name` included; undefined where there is none. */
function hostOf(address) {
	const scpLike = /^[^/@:\s]+@([^/:\s]+):/.exec(address);
	if (scpLike !== null) return scpLike[1]?.toLowerCase();
	const url = URL.parse(address);
	return url === null || url.host === "" ? void 0 : url.host.toLowerCase();
}

// src/scan/token-check.ts
/** Ours: time enough to make a new token in working hours. */
const EXPIRY_NOTICE_MS = 6048e5;
/** The token belongs to another project than the input names; undefined where it does not, or cannot be seen. */
function otherProject(token, projectId) {
	if (token.projectId === void 0 || token.projectId === projectId) return void 0;
	return {
		reason: "configuration",
		cause: `The token belongs to the project ${foreignLine(token.projectId)}, the input \`project-id\` names ${foreignLine(projectId)}.`,
		nextStep: "Correct `project-id` or leave it empty, or set the secret behind `api-token` to a token of that project (a project admin creates one in the project's integration settings)."
	};
}
/** One fault for each scope that the token visibly lacks. */
function scopeFaults(token, willPublish) {
	const { scopes } = token;
	if (scopes === void 0) return [];
	return [
		["read", "repositories, presets, scans and findings cannot be read"],
		["scans:launch", "no scan can be launched"],
		...willPublish ? [["publish", "the input `publish` asks for a public page"]] : []
	].filter(([scope]) => !scopes.includes(scope)).map(([scope, what]) => missingScope(scope, what));
}
/** A sentence where the token expires soon, or says that it has expired. */
function expiryNotices(token, now) {
	const expiry = new Date(token.expiresAt ?? NaN);
	const left = expiry.getTime() - now.getTime();
	if (!(left <= EXPIRY_NOTICE_MS)) return [];
	const day = expiry.toISOString().slice(0, 10);
	return [`The token behind \`api-token\` ${left <= 0 ? `says that it expired on ${day}` : `expires on ${day}`}: a project admin creates a new one in the project's integration settings.`];
}

// src/scan/preflight.ts
/**
* Reads token, repositories and presets in as few rounds as the inputs allow (one with `project-id`, else two), and
* chooses. What is wrong is told together.
*/
async function preflight(world, wanted) {
	const { preset, repositoryId, creditBudget, launchParameters } = wanted;
	const body = launchBody({
		repositoryId,
		presetRef: preset,
		creditBudget,
		baseCommit: void 0,
		commit: void 0
	}, launchParameters);
	const unreadable = unreadableFields(body);
	if (unreadable.length > 0) return err(unreadableParameters(unreadable));
	const asked = readLaunchBody(body);
	const read = await readProject(world.api, wanted.projectId);
	if (!read.ok) return read;
	const { projectId, repositories, presets } = read.value;
	const token = usableToken(read.value.token);
	if (!token.ok) return token;
	const { information, notices } = token.value;
	const mismatch = information && otherProject(information, projectId);
	if (mismatch !== void 0) return err(mismatch);
	const scopes = information === void 0 ? [] : scopeFaults(information, wanted.willPublish);
	const repository = repositories.ok ? chooseRepository(repositories.value, {
		...wanted,
		repositoryId: asked.repositoryId
	}) : void 0;
	const chosen = presets.ok ? choosePreset(presets.value, asked.presetRef) : void 0;
	const budget = chosen?.ok ? chooseBudget(asked.creditBudget, chosen.value) : void 0;
	const [fault, ...others] = [
		...scopes,
		...readFaults([repositories, presets], scopes.length > 0),
		...faultsOf(repository),
		...faultsOf(chosen),
		...faultsOf(budget)
	];
	if (fault !== void 0) return err(combineFaults([fault, ...others]));
	if (!repository?.ok || !chosen?.ok || !budget?.ok) throw new Error("a fault of the preflight was not told");
	return ok({
		projectId,
		repository: repository.value,
		preset: chosen.value,
		creditBudget: budget.value,
		token: information,
		notices: [...notices, ...information === void 0 ? [] : expiryNotices(information, world.clock.date())]
	});
}
function faultsOf(result) {
	return result === void 0 || result.ok ? [] : [result.error];
}
function unreadableParameters(names) {
	return {
		reason: "configuration",
		cause: `In the input \`launch-parameters\` these fields are not of the kind that the service documents: ${names.join(", ")}.`,
		nextStep: "Write ids and commits as texts and the budget as a whole number, or null to leave a field out."
	};
}

// src/scan/publish.ts
/**
* Publishes a COMPLETED scan.
* @param gated ask for a password-gated page
* @returns the public page, or a sentence for a warning: publishing never judges
*/
async function publishScan(api, projectId, scanId, gated) {
	const answer = await api.publish(projectId, scanId, gated);
	if (!answer.ok) {
		const { cause, nextStep } = explainApiError(answer.error);
		const lost = answer.error.kind === "refused" ? "" : " It may be published all the same.";
		return err(`The scan was not published. ${cause}${lost} ${nextStep}`);
	}
	if (gated && answer.value.accessPassword === null) return err(`The scan was published at ${answer.value.url} without the password that was asked for: check in the service who can read it.`);
	return answer;
}

// src/scan/scan-mark.ts
/** SHA-256, in hexadecimal, of the parts in a form in which neither member order nor the order of areas matters. */
function reuseKey(parts) {
	const canonical = canonicalJson({
		...parts,
		auditAreas: parts.auditAreas.toSorted()
	});
	return createHash("sha256").update(canonical).digest("hex");
}
/** `v1:<scanId>:<key>:<mac>`; the scan id is percent-encoded, so it may hold any character. */
function markOf(scanId, key, apiToken) {
	return `v1:${encodeURIComponent(scanId)}:${key}:${macOf(scanId, key, apiToken).toString("hex")}`;
}
function macOf(scanId, key, apiToken) {
	return createHmac("sha256", apiToken).update(JSON.stringify([scanId, key])).digest();
}
/** JSON with the members of every object sorted by name; an undefined member is left out, as JSON does. */
function canonicalJson(value) {
	return JSON.stringify(value, (_name, member) => isRecord(member) ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => a < b ? -1 : a > b ? 1 : 0)) : member);
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
/** A launch is only surely refused by a 4xx: every other answer may stand for a scan that reserved credits. */
function classifyLaunch(error) {
	const known = classify(error);
	const refusing = error.kind === "nonsense" && error.status >= 400 && error.status < 500;
	return error.kind === "nonsense" && known === "definite" && !refusing ? "ambiguous" : known;
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
const WIDTH$1 = 4;
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
	const rest = await inPool(numbers, WIDTH$1, async (number) => {
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

// src/progress.ts
/** What a poll found, in one line; what the service does not show is left out. No estimate of the time left. */
function progressOf({ status, progress }) {
	const { phasesCompleted, phasesTotal, weighted, reservedCredits } = progress;
	const parts = [status.toLowerCase()];
	if (phasesCompleted !== void 0 && phasesTotal !== void 0) parts.push(`${phasesCompleted} of ${phasesTotal} phases finished`);
	if (weighted !== void 0) parts.push(`${Math.round(weighted * 100)} % complete`);
	if (reservedCredits !== void 0) parts.push(`${reservedCredits} credits reserved`);
	return parts.join(", ");
}
/** For example `1 min 05 s`. */
function elapsedOf(ms) {
	const seconds = Math.floor(ms / 1e3);
	const rest = `${seconds % 60} s`;
	return seconds < 60 ? rest : `${Math.floor(seconds / 60)} min ${rest.padStart(4, "0")}`;
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
/**
* Do two commit ids name the same commit? One may be abbreviated (7 characters or more).
* Undefined means that one of them is not known: cannot tell.
*/
function sameCommit(a, b) {
	if (a === void 0 || b === void 0) return void 0;
	const [short, long] = a.length <= b.length ? [a.toLowerCase(), b.toLowerCase()] : [b.toLowerCase(), a.toLowerCase()];
	return short === long || short.length >= 7 && long.startsWith(short);
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

// src/scan/finding-detail.ts
/**
* The finding with what its detail adds. Where both show the same thing the list counts, because the gate was
* promised the list; texts are the detail's, because a list may cut them.
*/
function withDetail(finding, detail) {
	const listShowsSeverity = finding.severity.word !== "";
	const listShowsLines = finding.location?.startLine !== void 0;
	return {
		...finding,
		severity: listShowsSeverity ? finding.severity : detail.severity,
		triage: finding.triage ?? detail.triage,
		evidence: finding.evidence === void 0 ? detail.evidence : finding.evidence,
		resolution: finding.resolution ?? detail.resolution,
		title: finding.title === "Untitled finding" ? detail.title : finding.title,
		location: listShowsLines ? finding.location : detail.location ?? finding.location,
		url: finding.url ?? detail.url,
		description: detail.description ?? finding.description,
		recommendedFix: detail.recommendedFix ?? finding.recommendedFix,
		proofOfConcept: detail.proofOfConcept ?? finding.proofOfConcept
	};
}

// src/scan/findings.ts
/** Ours: what a reader looks at, and what one page of annotations holds. */
const DETAILS_OF_WORST = 50;
/** Ours: as many findings as are annotated; without a location there is no annotation. */
const DETAILS_FOR_LOCATION = 200;
/** Details asked for at once. */
const WIDTH = 4;
/** Ours: after so many failures the rest would most likely fail too, each with its own waits. */
const MOST_FAILURES = 10;
/**
* Reads all findings of a COMPLETED scan, and the details of those that may be reported. The list is read whole or
* not at all; a detail that cannot be read is a notice, and the finding stays as the list shows it.
*/
async function readFindings(api, { projectId, scanId, policy }) {
	const list = await api.findings(projectId, scanId);
	if (!list.ok) return err(explained(list.error));
	const wanted = worthReading(list.value, policy);
	const details = /* @__PURE__ */ new Map();
	const failures = [];
	await inPool(wanted, WIDTH, async (finding) => {
		if (finding.id === void 0 || pointlessAfter(failures)) return;
		const detail = await api.finding(projectId, finding.id);
		if (detail.ok) details.set(finding, withDetail(finding, detail.value));
		else failures.push(detail.error);
	});
	const signalled = failures.find((error) => error.kind === "stopped" && error.by === "signal");
	if (signalled !== void 0) return err(explained(signalled));
	return ok({
		findings: list.value.map((finding) => details.get(finding) ?? finding),
		notices: detailNotices(wanted.length - details.size, failures)
	});
}
/** The findings whose details are read: at most 50, but for what the list leaves out. All have a usable id. */
function worthReading(findings, policy) {
	return worstFirst(findings.filter((finding) => finding.id !== void 0 && mayBeReported(finding, policy))).filter((finding, index) => index < DETAILS_OF_WORST || index < DETAILS_FOR_LOCATION && finding.location === void 0 || gateCannotTell(finding, policy));
}
/** Does the gate ask for evidence that the list does not show? */
function gateCannotTell(finding, { failOnEvidence }) {
	if (failOnEvidence === "any") return false;
	if (finding.triage === void 0) return true;
	return failOnEvidence === "poc" && finding.triage === "CONFIRMED" && finding.evidence === void 0;
}
/** A single odd finding says nothing about the next; a refused token, an unreachable service or a stop does. */
function pointlessAfter(failures) {
	return failures.length >= MOST_FAILURES || failures.some((error) => error.kind === "stopped" || error.kind === "unreachable" || error.kind === "refused" && [
		401,
		403,
		429
	].includes(error.status));
}
function detailNotices(missing, failures) {
	const [first] = failures;
	if (missing === 0 || first === void 0) return [];
	return [`The details of ${missing === 1 ? "one finding" : `${missing} findings`} could not be read; they are shown as far as the list goes. ${explained(first).cause}`];
}
function explained(error) {
	return error.kind === "stopped" ? explainStop(error.by, "the scan had completed, and its findings had not all been read") : explainApiError(error);
}

// src/scan/launch-unknown.ts
/**
* The launch may have been accepted: the answer that would say so is missing or unreadable. Sending it again could
* reserve the credits twice, so what is known is told instead.
*/
function launchUnknown(error, creditBudget) {
	const credits = creditBudget === void 0 ? "the reserved credits" : `${creditBudget} credits`;
	const why = explainApiError(error).cause;
	const bySignal = error.kind === "stopped" && error.by === "signal";
	return {
		reason: bySignal ? "scan-cancelled" : "launch-unknown",
		cause: `It is not known whether the scan was launched, so it was not launched again. ${why}`,
		nextStep: `Look in the scan list of the service for a scan of this commit: cancel it there if it runs (${credits} are at risk), then run the job again.`,
		...bySignal ? { bySignal } : {}
	};
}

// src/scan/patience.ts
/** Ours: a restart of the service or a change of its address is over by then, and the scan is already paid for. */
const MOST_FAILURES_IN_A_ROW = 20;
const LONGEST_SILENCE_MS = 6e5;
function createPatience(clock) {
	let failures = 0;
	let since = clock.now();
	return {
		worked() {
			failures = 0;
			since = clock.now();
		},
		failed() {
			failures += 1;
			return failures >= MOST_FAILURES_IN_A_ROW || clock.now() - since >= LONGEST_SILENCE_MS ? void 0 : failures;
		}
	};
}

// src/scan/poll-interval.ts
/** Where the service advises nothing. */
const DEFAULT_MS = 1e4;
const SHORTEST_MS = 1e3;
const LONGEST_MS = 12e4;
/** Ours: so that many jobs that started together do not poll together for ever. */
const LARGEST_JITTER = .1;
/** Milliseconds until the next poll: what the service advises and at most a tenth more, from 1 to 120 seconds. */
function pollInterval(retryAfterMs, random) {
	return clamp(clamp(retryAfterMs ?? DEFAULT_MS) * (1 + random() * LARGEST_JITTER));
}
function clamp(ms) {
	return Math.min(Math.max(ms, SHORTEST_MS), LONGEST_MS);
}

// src/scan/readiness.ts
/**
* Waits until the repository list says `ready`. It begins with a wait: the service has just said that it is not.
* @returns why waiting ended without that; undefined when the repository is ready
*/
async function waitUntilReady(world, request) {
	const { api, clock, signal, random = Math.random } = world;
	const patience = createPatience(clock);
	const advised = request.retryAfterSeconds;
	const interval = () => pollInterval(advised === void 0 ? void 0 : advised * 1e3, random);
	let wait = interval();
	world.onWaiting?.(`The service is analyzing this repository for the first time; looking again every ${duration(wait / 1e3)}.`);
	for (;;) {
		await clock.sleep(wait, signal);
		const cause = stopCause(signal);
		if (cause !== void 0) return stoppedWaiting(cause);
		const answer = await api.repositories(request.projectId);
		if (answer.ok) {
			patience.worked();
			const repository = answer.value.find(({ id }) => id === request.repositoryId);
			const fault = repositoryFault(repository, request.repositoryId);
			if (fault !== void 0) return fault;
			if (repository?.readiness === "ready") return void 0;
			wait = interval();
		} else {
			const { error } = answer;
			if (error.kind === "stopped") return stoppedWaiting(error.by);
			const failures = patience.failed();
			if (classify(error) === "definite" || failures === void 0) return explainApiError(error);
			wait = waitAfterFailure(error, failures, random);
		}
	}
}
function stoppedWaiting(cause) {
	const stop = explainStop(cause, "the service had not finished analyzing this repository for the first time");
	if (cause === "signal") return stop;
	return {
		...stop,
		reason: "initializing",
		nextStep: "Run the job again when the repository is ready in the service, or raise `timeout-minutes`."
	};
}

// src/scan/launch.ts
/** Ours: a spend limit does not lift within a job, a request ceiling does within a window or two. */
const MOST_RATE_LIMIT_WAITS = 3;
/** Longer than this the runner would only burn minutes. */
const LONGEST_RATE_LIMIT_WAIT_S = 600;
/**
* Launches the scan at most once: sent again only where the service surely did not act (it never got the request,
* or refused it for now). Waits for an initializing repository as long as the signal lets it.
*/
async function launchScan(world, request) {
	const { api, clock, signal, random = Math.random } = world;
	const { creditBudget } = readLaunchBody(request.body);
	let unsent = 0;
	let limited = 0;
	for (;;) {
		const cause = stopCause(signal);
		if (cause !== void 0) return notScanned(explainStop(cause, "the scan was not launched"));
		const answer = await api.launch(request.projectId, request.body);
		if (answer.ok) return {
			kind: "launched",
			scanId: answer.value.scanId
		};
		const { error } = answer;
		switch (classifyLaunch(error)) {
			case "ambiguous": return notScanned(launchUnknown(error, creditBudget));
			case "stopped": return notScanned(error.kind === "stopped" && error.sent === "no" ? explainStop(error.by, "the scan was not launched") : launchUnknown(error, creditBudget));
			case "not-sent": {
				unsent += 1;
				if (unsent >= 3) return notScanned(explainApiError(error));
				const wait = waitAfterFailure(error, unsent, random);
				world.onWaiting?.(`The service is out of reach; the launch is sent again in ${duration(wait / 1e3)}.`);
				await clock.sleep(wait, signal);
				break;
			}
			case "rate-limited": {
				limited += 1;
				const wait = rateLimitWait(error, limited, random);
				if (wait === void 0) return notScanned(explainApiError(error));
				world.onWaiting?.(`The service accepts no launch for now; the next try is in ${duration(wait / 1e3)}.`);
				await clock.sleep(wait, signal);
				break;
			}
			case "definite": {
				const code = error.kind === "refused" ? error.code : void 0;
				if (code === "diff_empty") return { kind: "empty-diff" };
				if (code !== "repository_initializing") return notScanned(explainApiError(error, { creditBudget }));
				const stop = await waitUntilReady(world, {
					...request,
					retryAfterSeconds: retryAfterOf(error)
				});
				if (stop !== void 0) return notScanned(stop);
				unsent = 0;
				limited = 0;
			}
		}
	}
}
/** Milliseconds, as the service advises; undefined where waiting is pointless. */
function rateLimitWait(error, limited, random) {
	const advised = retryAfterOf(error);
	if (limited > MOST_RATE_LIMIT_WAITS) return void 0;
	if (advised === void 0) return waitAfterFailure(error, limited, random);
	return advised > LONGEST_RATE_LIMIT_WAIT_S ? void 0 : Math.max(advised, 1) * 1e3;
}
function notScanned(stop) {
	return {
		kind: "not-scanned",
		stop
	};
}

// src/scan/wait.ts
/** Polls the scan until it ends, we are stopped, or no answer can be had. Never throws for what the service says. */
async function followScan(world, request) {
	const { api, clock, signal, random = Math.random } = world;
	const { projectId, scanId, expected } = request;
	const start = clock.now();
	const patience = createPatience(clock);
	let scan;
	for (;;) {
		const cause = stopCause(signal);
		if (cause !== void 0) return {
			kind: "left-running",
			stop: notFinished(cause),
			scan
		};
		const answer = await api.scan(projectId, scanId);
		let wait;
		if (answer.ok) {
			patience.worked();
			scan = answer.value.scan;
			request.onProgress?.(scan, clock.now() - start);
			const ended = isTerminal(scan.status) ? scan.status : void 0;
			const wrong = wrongScan(scan, expected);
			if (wrong !== void 0) return {
				kind: ended ? "ended" : "left-running",
				stop: wrong,
				scan
			};
			if (ended !== void 0) return conclude(scan, ended);
			wait = pollInterval(answer.value.retryAfterMs, random);
		} else {
			const { error } = answer;
			if (error.kind === "stopped") return {
				kind: "left-running",
				stop: notFinished(error.by),
				scan
			};
			const failures = patience.failed();
			if (classify(error) === "definite" || failures === void 0) return {
				kind: "left-running",
				stop: explainApiError(error),
				scan
			};
			wait = waitAfterFailure(error, failures, random);
		}
		await clock.sleep(wait, signal);
	}
}
function notFinished(cause) {
	return explainStop(cause, "the scan had not finished");
}
function conclude(scan, status) {
	switch (status) {
		case "COMPLETED": return {
			kind: "completed",
			scan,
			commitShown: scan.commit !== void 0
		};
		case "FAILED": return {
			kind: "ended",
			scan,
			stop: {
				reason: "scan-failed",
				cause: "The scan failed in the scanning service.",
				nextStep: "Look at the scan in the service for its cause, then run the job again."
			}
		};
		case "CANCELLED": return {
			kind: "ended",
			scan,
			stop: {
				reason: "scan-cancelled",
				cause: "The scan was cancelled in the scanning service.",
				nextStep: "Run the job again if the result is still wanted."
			}
		};
	}
}
/** A commit that is not shown cannot be compared, and is no fault. */
function wrongScan(scan, expected) {
	const differing = [...sameCommit(scan.commit, expected.commit) === false ? ["another commit"] : [], ...sameCommit(scan.baseCommit, expected.baseCommit) === false ? ["another base commit"] : []];
	if (differing.length === 0) return void 0;
	const shown = [scan.baseCommit, scan.commit].map((id) => id?.slice(0, 12) ?? "not shown").join(" to ");
	const wanted = [expected.baseCommit, expected.commit].map((id) => id?.slice(0, 12) ?? "not set").join(" to ");
	return {
		reason: "configuration",
		cause: `The service scans ${differing.join(" and ")} than this change asks for (it shows ${shown}; asked for: ${wanted}).`,
		nextStep: "The service seems to name the scanned commit differently from the launch field `commit`: set the right field with the input `launch-parameters`."
	};
}

// src/scan-change.ts
/** Launches the scan of the change, follows it to its end, and reads its findings. What is abandoned is cancelled. */
async function scanChange(world, change) {
	const { api, clock, signal, log, inputs } = world;
	const { target, preflight } = change;
	const { projectId, repository } = preflight;
	const body = launchBody({
		repositoryId: repository.id,
		presetRef: preflight.preset.ref,
		creditBudget: preflight.creditBudget,
		baseCommit: change.diffBase.baseCommit,
		commit: change.diffBase.headCommit
	}, inputs.launchParameters);
	const sent = readLaunchBody(body);
	const diffBase = measuredFrom(sent.baseCommit, change.diffBase);
	if (sent.commit !== void 0 && isCommitId(sent.commit) && sent.commit !== target.headSha) return ended(OTHER_COMMIT);
	const launch = await launchScan({
		api,
		clock,
		signal,
		onWaiting: log.info
	}, {
		projectId,
		repositoryId: repository.id,
		body
	});
	if (launch.kind === "empty-diff") return ended(await confirmEmptyDiff(world.github, diffBase));
	if (launch.kind === "not-scanned") return ended(launch);
	const { scanId } = launch;
	const run = {
		projectId,
		scanId,
		headSha: target.headSha
	};
	saveRun(run);
	log.info(`Scan ${scanId} was launched with the preset ${preflight.preset.ref}.`);
	const checkRun = beginCheckRun(world.lateGitHub, change.identityOf(scanId), run);
	return {
		...await follow(world, run, diffBase, sent.creditBudget),
		diffBase,
		checkRun: await checkRun
	};
}
/** Follows our scan to its end and reads its findings; cancels it when it is abandoned. */
async function follow(world, { projectId, scanId }, { baseCommit, headCommit }, creditBudget) {
	const { api, clock, signal, log, inputs } = world;
	const followed = await followScan({
		api,
		clock,
		signal
	}, {
		projectId,
		scanId,
		expected: {
			baseCommit,
			commit: headCommit
		},
		onProgress: progressPrinter(log)
	});
	const { scan } = followed;
	const facts = {
		scanId,
		scan,
		creditsReserved: scan?.progress.reservedCredits ?? creditBudget
	};
	switch (followed.kind) {
		case "completed": {
			const unseen = followed.commitShown ? [] : ["The service does not show which commit it scanned."];
			const read = await readFindings(api, {
				projectId,
				scanId,
				policy: inputs.policy
			});
			if (!read.ok) return {
				...facts,
				outcome: {
					kind: "not-scanned",
					stop: read.error
				},
				notices: unseen
			};
			for (const sentence of unseen) log.info(sentence);
			const { findings, notices } = read.value;
			return {
				...facts,
				outcome: {
					kind: "completed",
					scan: followed.scan,
					findings
				},
				notices
			};
		}
		case "ended": return {
			...facts,
			outcome: {
				kind: "not-scanned",
				stop: followed.stop
			},
			notices: []
		};
		case "left-running": return {
			...facts,
			outcome: {
				kind: "not-scanned",
				stop: followed.stop
			},
			...await abandon(world.lateApi, projectId, scanId, scan)
		};
	}
}
/** Where `launch-parameters` sets the base, that is the one the change is measured from. */
function measuredFrom(sentBase, computed) {
	if (sentBase === void 0 || sentBase === computed.baseCommit) return computed;
	return {
		...computed,
		baseCommit: sentBase,
		how: "input"
	};
}
function ended(outcome) {
	return {
		outcome,
		notices: []
	};
}
const OTHER_COMMIT = {
	kind: "not-scanned",
	stop: {
		reason: "configuration",
		cause: "Input `launch-parameters` sets `commit` to another commit than the head of this change.",
		nextStep: "Remove `commit` from `launch-parameters`, or set it to `null` where the service names the field differently."
	}
};
/** The service's word that nothing changed counts only where GitHub sees no changed file either. */
async function confirmEmptyDiff(github, { baseCommit, headCommit }) {
	const empty = await comparisonIsEmpty(github, baseCommit, headCommit);
	if (!empty.ok) return {
		kind: "not-scanned",
		stop: {
			reason: "service-error",
			cause: `The service sees no change, and whether GitHub sees one is not known. ${explainGitHubError(empty.error)}`,
			nextStep: "Run the job again later."
		}
	};
	if (empty.value) return {
		kind: "unchanged",
		how: "empty-diff"
	};
	return {
		kind: "not-scanned",
		stop: {
			reason: "configuration",
			cause: "The service sees no change, but GitHub lists changed files: the service looked at another commit.",
			nextStep: "The service probably does not read the head from the launch field `commit`: set the right field with the input `launch-parameters`."
		}
	};
}
async function beginCheckRun(github, identity, run) {
	const created = await createCheckRun(github, identity, {
		title: "Scanning this change",
		summary: "The scan is running. The findings appear here when it has ended.",
		text: ""
	});
	if (!created.ok) return created;
	saveRun({
		...run,
		checkRunId: created.value.id
	});
	return ok(created.value);
}
/** One line whenever something changed, the elapsed time alone not counting. */
function progressPrinter(log) {
	let last = "";
	return (scan, elapsedMs) => {
		const line = progressOf(scan);
		if (line !== last) log.info(`Scan ${line}, after ${elapsedOf(elapsedMs)}.`);
		last = line;
	};
}
async function abandon(api, projectId, scanId, scan) {
	const cancellation = await cancelScan(api, projectId, scanId);
	switch (cancellation.kind) {
		case "cancelled": return {
			scan: scan && {
				...scan,
				status: "CANCELLED"
			},
			notices: [`Scan ${scanId} was cancelled: its reservation is released, work already done is still charged.`]
		};
		case "already-terminal": return {
			scan: scan && {
				...scan,
				status: cancellation.status
			},
			notices: [`Scan ${scanId} had already ended as ${cancellation.status}.`]
		};
		case "failed": return {
			scan,
			leftRunning: true,
			notices: [`Scan ${scanId} could not be cancelled and may go on for credits: cancel it in the service. ${cancellation.cause}`]
		};
	}
}

// src/run.ts
/**
* One step from its inputs to its exit code: what is the target, may it be scanned, what is the change, scan it,
* judge, publish, deliver, write the outputs.
* @returns the exit code: 0 only for what was proven or allowed
*/
async function run(world) {
	const { limits, log, reading } = world;
	const { inputs } = reading;
	for (const sentence of reading.notices) log.warning(sentence);
	limits.startTimeout(inputs.timeoutMinutes);
	const { lateGitHub, ...scene } = setScene(world);
	const story = await tell(world, {
		lateGitHub,
		...scene
	});
	const verdict = judge(story.outcome, inputs.policy);
	const report = reportOf(world, story, verdict, await publish(world, scene.api, story, verdict));
	const identity = story.target && identityOf(world, story)(story.scanId);
	const delivered = await deliver({
		github: lateGitHub,
		environment: world.environment,
		inputs,
		workspace: world.workspace,
		log
	}, report, identity && {
		identity,
		started: story.checkRun
	});
	leaveForPost(report, delivered, story.leftRunning === true);
	writeOutputs(outputsOf(report, delivered));
	return verdict.exitCode;
}
function setScene({ clock, limits, environment, reading, log }) {
	const { inputs } = reading;
	const service = {
		baseUrl: inputs.baseUrl,
		token: inputs.apiToken,
		clock
	};
	const gitHub = {
		token: inputs.githubToken,
		environment,
		clock
	};
	return {
		api: createScanApi({
			...service,
			signal: limits.work,
			launchSignal: limits.launch
		}),
		lateApi: createScanApi({
			...service,
			signal: limits.wrapUp
		}),
		github: createGitHub({
			...gitHub,
			signal: limits.work
		}),
		lateGitHub: createGitHub({
			...gitHub,
			signal: limits.wrapUp
		}),
		inputs,
		clock,
		signal: limits.work,
		log
	};
}
/** The way from the event to the outcome. */
async function tell(world, scene) {
	const { environment, reading, log } = world;
	const { inputs, faults } = reading;
	const read = readTarget(environment, world.payload);
	if (faults.length > 0) return {
		...read.ok ? { target: read.value } : {},
		...stop(inputFault(faults))
	};
	if (!read.ok) return stop(read.error);
	const target = read.value;
	const refusal = await refuseTarget(scene.github, target, inputs.apiToken, scene.signal);
	if (refusal !== void 0) return {
		target,
		...stop(refusal)
	};
	const [base, ready] = await Promise.all([findDiffBase({
		...scene,
		githubToken: inputs.githubToken,
		environment
	}, target, inputs.baseCommit), preflight(scene, {
		...inputs,
		willPublish: inputs.publish !== "never",
		owner: target.repository.owner,
		name: target.repository.name,
		serverUrl: environment.serverUrl
	})]);
	const known = {
		target,
		...base.ok ? { diffBase: base.value } : {},
		...ready.ok ? { preflight: ready.value } : {}
	};
	if (base.ok) {
		log.info(sayBase(base.value));
		if (base.value.baseCommit === target.headSha) return {
			...known,
			outcome: {
				kind: "unchanged",
				how: "same-commit"
			},
			notices: []
		};
	}
	if (!ready.ok) return {
		...known,
		...stop(ready.error, base.ok ? [] : [base.error.cause])
	};
	if (!base.ok) return {
		...known,
		...stop(base.error)
	};
	for (const sentence of ready.value.notices) log.warning(sentence);
	const change = {
		target,
		diffBase: base.value,
		preflight: ready.value,
		identityOf: identityOf(world, { ...known })
	};
	const scanned = await scanChange(scene, change);
	for (const sentence of scanned.notices) log.warning(sentence);
	return {
		...known,
		...scanned,
		notices: [...ready.value.notices, ...scanned.notices]
	};
}
function stop(stopped, notices = []) {
	return {
		outcome: {
			kind: "not-scanned",
			stop: stopped
		},
		notices
	};
}
function inputFault(faults) {
	return {
		reason: "configuration",
		cause: faults.join(" "),
		nextStep: `Correct ${faults.length === 1 ? "it" : "them"} in the workflow, under \`with:\`.`
	};
}
/** Only what a completed scan proved can be published, and a refusal is a warning. */
async function publish({ reading, log }, api, { preflight: ready, scanId }, { outcome, findings }) {
	const { publish: when, publishPassword } = reading.inputs;
	if (!(when === "always" || when === "on-findings" && findings.reported.length > 0) || !(outcome === "passed" || outcome === "blocked") || ready === void 0 || scanId === void 0) return { notices: [] };
	const published = await publishScan(api, ready.projectId, scanId, publishPassword);
	if (published.ok) {
		if (published.value.accessPassword !== null) log.mask(published.value.accessPassword);
		return {
			publication: published.value,
			notices: []
		};
	}
	log.warning(published.error);
	return { notices: [published.error] };
}
function reportOf({ clock, environment, reading }, story, verdict, published) {
	const { inputs } = reading;
	return {
		verdict,
		policy: inputs.policy,
		checkName: inputs.checkName,
		target: story.target,
		diffBase: story.diffBase,
		projectId: story.preflight?.projectId,
		preset: story.preflight?.preset,
		scan: story.scan,
		scanId: story.scanId,
		creditsReserved: story.creditsReserved,
		reused: false,
		publication: published.publication,
		serverUrl: environment.serverUrl,
		serviceOrigin: URL.parse(inputs.baseUrl)?.origin ?? "",
		runUrl: environment.runUrl,
		checkRunUrl: void 0,
		notices: [...story.notices, ...published.notices],
		date: clock.date()
	};
}
/** The check run's `external_id` names the scan and proves that it is ours; without a scan it only has to be unique. */
function identityOf({ environment, reading }, { target, diffBase, preflight: ready }) {
	const { inputs } = reading;
	const unique = `run:${environment.runId}:${environment.runAttempt}:${randomUUID()}`;
	return (scanId) => {
		const common = {
			name: inputs.checkName,
			headSha: target?.headSha ?? "",
			detailsUrl: environment.runUrl
		};
		if (scanId === void 0 || target === void 0 || diffBase === void 0 || ready === void 0) return {
			...common,
			externalId: unique
		};
		const key = reuseKey({
			repositoryId: ready.repository.id,
			pullRequest: target.pullRequest?.number,
			headCommit: diffBase.headCommit,
			baseCommit: diffBase.baseCommit,
			presetRef: ready.preset.ref,
			creditBudget: ready.creditBudget,
			auditAreas: [],
			guidance: void 0,
			launchParameters: inputs.launchParameters
		});
		return {
			...common,
			externalId: markOf(scanId, key, inputs.apiToken)
		};
	};
}
function sayBase({ baseCommit, headCommit, how }) {
	return `The change is ${baseCommit}..${headCommit}; the base is the merge base ${{
		input: "given by `base-commit`",
		compare: "from GitHub's comparison",
		git: "computed by git"
	}[how]}.`;
}

// src/main.ts
process.exitCode = 1;
const log = createRunnerLog();
const limits = createLimits(systemClock);
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => limits.stop("signal"));
/** The one catch: everything expected is a value, so what arrives here is a fault of ours or of the machine. */
async function main() {
	try {
		const workspace = process.env["GITHUB_WORKSPACE"] || process.cwd();
		const reading = readInputs(workspace);
		const proxyFault = useProxy(process.env);
		if (proxyFault !== void 0) return await failBeforeStart(proxyFault);
		const environment = readEnvironment(process.env);
		if (!environment.ok) return await failBeforeStart(environment.error);
		const payload = await readPayload(environment.value.eventPath);
		if (!payload.ok) return await failBeforeStart(payload.error);
		return await run({
			clock: systemClock,
			limits,
			log,
			environment: environment.value,
			payload: payload.value,
			reading,
			workspace
		});
	} catch (error) {
		const what = error instanceof Error ? error.message : "no error object";
		log.error(`Scangate failed unexpectedly, so the change counts as not scanned: ${what}. Please report this.`);
		return 1;
	}
}
/** Nothing is known of the run but why it cannot begin: that goes to the log, the job summary and the outputs. */
async function failBeforeStart(stop) {
	log.error(`Not scanned: ${stop.cause} ${stop.nextStep}`);
	await attempt("job summary", log.warning, () => writeJobSummary(renderStop(stop)));
	writeOutputs(outputsOfFailure(stop.reason));
	return 1;
}
const exitCode = await main();
process.stdout.write("", () => process.exit(exitCode));

export {  };