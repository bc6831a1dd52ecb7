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
const load_path = () => process.getBuiltinModule("path");
function notBundled(name, inUse = {}) {
	function refuse() {
		throw new Error(`Not bundled: ${name}`);
	}
	return new Proxy(Object.assign(refuse, inUse), { get: (target, member) => typeof member === "symbol" || member in target ? Reflect.get(target, member) : notBundled(`${name}.${member}`) });
}
notBundled("BearerCredentialHandler");
const load_string_decoder = () => process.getBuiltinModule("string_decoder");
const load_events = () => process.getBuiltinModule("events");
const load_child_process = () => process.getBuiltinModule("child_process");
var io_util_awaiter = function(thisArg, _arguments, P, generator) {
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
const readdir = (...all) => load_fs().promises.readdir(...all);
const stat = (...all) => load_fs().promises.stat(...all);
const IS_WINDOWS = process.platform === "win32";
load_fs().constants.O_RDONLY;
function exists(fsPath) {
	return io_util_awaiter(this, void 0, void 0, function* () {
		try {
			yield stat(fsPath);
		} catch (err) {
			if (err.code === "ENOENT") return false;
			throw err;
		}
		return true;
	});
}
function isRooted(p) {
	p = normalizeSeparators(p);
	if (!p) throw new Error("isRooted() parameter \"p\" cannot be empty");
	if (IS_WINDOWS) return p.startsWith("\\") || /^[A-Z]:/i.test(p);
	return p.startsWith("/");
}
function tryGetExecutablePath(filePath, extensions) {
	return io_util_awaiter(this, void 0, void 0, function* () {
		let stats = void 0;
		try {
			stats = yield stat(filePath);
		} catch (err) {
			if (err.code !== "ENOENT") console.log(`Unexpected error attempting to determine if executable file exists '${filePath}': ${err}`);
		}
		if (stats && stats.isFile()) {
			if (IS_WINDOWS) {
				const upperExt = load_path().extname(filePath).toUpperCase();
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
				if (IS_WINDOWS) {
					try {
						const directory = load_path().dirname(filePath);
						const upperName = load_path().basename(filePath).toUpperCase();
						for (const actualName of yield readdir(directory)) if (upperName === actualName.toUpperCase()) {
							filePath = load_path().join(directory, actualName);
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
	if (IS_WINDOWS) {
		p = p.replace(/\//g, "\\");
		return p.replace(/\\\\+/g, "\\");
	}
	return p.replace(/\/\/+/g, "/");
}
function isUnixExecutable(stats) {
	return (stats.mode & 1) > 0 || (stats.mode & 8) > 0 && process.getgid !== void 0 && stats.gid === process.getgid() || (stats.mode & 64) > 0 && process.getuid !== void 0 && stats.uid === process.getuid();
}
var io_awaiter = function(thisArg, _arguments, P, generator) {
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
function which(tool, check) {
	return io_awaiter(this, void 0, void 0, function* () {
		if (!tool) throw new Error("parameter 'tool' is required");
		if (check) {
			const result = yield which(tool, false);
			if (!result) {
				if (IS_WINDOWS) throw new Error(`Unable to locate executable file: ${tool}. Please verify either the file path exists or the file can be found within a directory specified by the PATH environment variable. Also verify the file has a valid extension for an executable file.`);
				else throw new Error(`Unable to locate executable file: ${tool}. Please verify either the file path exists or the file can be found within a directory specified by the PATH environment variable. Also check the file mode to verify the file is executable.`);
			}
			return result;
		}
		const matches = yield findInPath(tool);
		if (matches && matches.length > 0) return matches[0];
		return "";
	});
}
function findInPath(tool) {
	return io_awaiter(this, void 0, void 0, function* () {
		if (!tool) throw new Error("parameter 'tool' is required");
		const extensions = [];
		if (IS_WINDOWS && process.env["PATHEXT"]) {
			for (const extension of process.env["PATHEXT"].split(load_path().delimiter)) if (extension) extensions.push(extension);
		}
		if (isRooted(tool)) {
			const filePath = yield tryGetExecutablePath(tool, extensions);
			if (filePath) return [filePath];
			return [];
		}
		if (tool.includes(load_path().sep)) return [];
		const directories = [];
		if (process.env.PATH) {
			for (const p of process.env.PATH.split(load_path().delimiter)) if (p) directories.push(p);
		}
		const matches = [];
		for (const directory of directories) {
			const filePath = yield tryGetExecutablePath(load_path().join(directory, tool), extensions);
			if (filePath) matches.push(filePath);
		}
		return matches;
	});
}
const load_timers = () => process.getBuiltinModule("timers");
var toolrunner_awaiter = function(thisArg, _arguments, P, generator) {
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
const toolrunner_IS_WINDOWS = process.platform === "win32";
var ToolRunner = class extends load_events().EventEmitter {
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
		if (toolrunner_IS_WINDOWS) {
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
			let n = s.indexOf(load_os().EOL);
			while (n > -1) {
				onLine(s.substring(0, n));
				s = s.substring(n + load_os().EOL.length);
				n = s.indexOf(load_os().EOL);
			}
			return s;
		} catch (err) {
			this._debug(`error processing line. Failed with error ${err}`);
			return "";
		}
	}
	_getSpawnFileName() {
		if (toolrunner_IS_WINDOWS) {
			if (this._isCmdFile()) return process.env["COMSPEC"] || "cmd.exe";
		}
		return this.toolPath;
	}
	_getSpawnArgs(options) {
		if (toolrunner_IS_WINDOWS) {
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
	exec() {
		return toolrunner_awaiter(this, void 0, void 0, function* () {
			if (!isRooted(this.toolPath) && (this.toolPath.includes("/") || toolrunner_IS_WINDOWS && this.toolPath.includes("\\"))) this.toolPath = load_path().resolve(process.cwd(), this.options.cwd || process.cwd(), this.toolPath);
			this.toolPath = yield which(this.toolPath, true);
			return new Promise((resolve, reject) => toolrunner_awaiter(this, void 0, void 0, function* () {
				this._debug(`exec tool: ${this.toolPath}`);
				this._debug("arguments:");
				for (const arg of this.args) this._debug(`   ${arg}`);
				const optionsNonNull = this._cloneExecOptions(this.options);
				if (!optionsNonNull.silent && optionsNonNull.outStream) optionsNonNull.outStream.write(this._getCommandString(optionsNonNull) + load_os().EOL);
				const state = new ExecState(optionsNonNull, this.toolPath);
				state.on("debug", (message) => {
					this._debug(message);
				});
				if (this.options.cwd && !(yield exists(this.options.cwd))) return reject(new Error(`The cwd: ${this.options.cwd} does not exist!`));
				const fileName = this._getSpawnFileName();
				const cp = load_child_process().spawn(fileName, this._getSpawnArgs(optionsNonNull), this._getSpawnOptions(this.options, fileName));
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
var exec_awaiter = function(thisArg, _arguments, P, generator) {
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
function exec_exec(commandLine, args, options) {
	return exec_awaiter(this, void 0, void 0, function* () {
		const commandArgs = argStringToArray(commandLine);
		if (commandArgs.length === 0) throw new Error(`Parameter 'commandLine' cannot be null or empty.`);
		const toolPath = commandArgs[0];
		args = commandArgs.slice(1).concat(args || []);
		return new ToolRunner(toolPath, args, options).exec();
	});
}
function getExecOutput(commandLine, args, options) {
	return exec_awaiter(this, void 0, void 0, function* () {
		var _a, _b;
		let stdout = "";
		let stderr = "";
		const stdoutDecoder = new (load_string_decoder()).StringDecoder("utf8");
		const stderrDecoder = new (load_string_decoder()).StringDecoder("utf8");
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
		const exitCode = yield exec_exec(commandLine, args, Object.assign(Object.assign({}, options), { listeners }));
		stdout += stdoutDecoder.end();
		stderr += stderrDecoder.end();
		return {
			exitCode,
			stdout,
			stderr
		};
	});
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
function saveState(name, value) {
	if (process.env["GITHUB_STATE"] || "") return file_command_issueFileCommand("STATE", file_command_prepareKeyValueMessage(name, value));
	command_issueCommand("save-state", { name }, utils_toCommandValue(value));
}
function getState(name) {
	return process.env[`STATE_${name}`] || "";
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
function isCommitId(value) {
	return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(value);
}
function scanKindOf({ base }) {
	return base.kind === "none" ? "full" : "diff";
}
function disclosureOf(target) {
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
const WORST_FIRST = SEVERITY_LEVELS;
function severityRank(level) {
	return WORST_FIRST.indexOf(level) + 1;
}
function isAtOrAbove(severity, threshold) {
	return severityRank(severity.level) <= severityRank(threshold);
}
function countSeverities(severities) {
	const counts = {};
	for (const level of SEVERITY_LEVELS) counts[level.toUpperCase()] = 0;
	for (const { level } of severities) {
		const key = level.toUpperCase();
		counts[key] = (counts[key] ?? 0) + 1;
	}
	return counts;
}
const UNTITLED = "Untitled finding";
function pathsOf({ location, otherPaths = [] }) {
	return location === void 0 ? otherPaths : [location.path, ...otherPaths];
}
const CLOSING_STATUSES = new Map([
	["FALSE_POSITIVE", "false positive"],
	["WONT_FIX", "will not be fixed"],
	["MITIGATED", "mitigated"],
	["DUPLICATE", "duplicate"]
]);
function isOpen({ resolution }) {
	return ![...CLOSING_STATUSES.keys()].some((status) => status === resolution);
}
function isStillFound(finding) {
	return finding.resolution === "RESOLVED";
}
function worstFirst(findings) {
	return [...findings].sort((a, b) => severityRank(a.severity.level) - severityRank(b.severity.level) || evidenceRank(a) - evidenceRank(b) || compare(a.location?.path ?? "\uffff", b.location?.path ?? "\uffff") || (a.location?.startLine ?? 0) - (b.location?.startLine ?? 0) || compare(a.label, b.label));
}
function evidenceRank(finding) {
	if (finding.triage?.confirms !== true) return 2;
	return finding.evidence === "POC" ? 0 : 1;
}
function compare(a, b) {
	return a < b ? -1 : a > b ? 1 : 0;
}
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
function isPlain(text) {
	return PLAIN_LINES.test(text);
}
const [ESC, CSI] = ["\x1B", "\u009b"];
const TERMINAL_STYLE = new RegExp(`(?:${ESC}\\[|${CSI})[\\d:;]*m`, "g");
function visibleLine(text) {
	if (PLAIN_LINE.test(text)) return text;
	return replaceInvisible(text.toWellFormed().replaceAll("	", " "), codePointShown);
}
function visibleLines(text) {
	if (isPlain(text)) return text;
	return replaceInvisible(text.toWellFormed().replaceAll("\r\n", "\n").replace(TERMINAL_STYLE, ""), (character) => character === "\n" || character === "	" ? character : codePointShown(character));
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
function replaceInvisible(text, replace) {
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
function cutCharacters(text, limit) {
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
	const characters = [...replaceInvisible(text.toWellFormed(), (character) => INVISIBLE_AS_SPACE.test(character) ? " " : character).replace(/\s+/g, " ").trim().slice(0, 2 * longest + 2)];
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
function err(error) {
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
	if (slip !== void 0) return err(slip);
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
		if (char === "?" || char === "+") return err(NOTHING_BEFORE);
		if (char === "]") return err("Open the set with `[`. For a bracket in a name, write `\\]`.");
		let ranges = [[char, char]];
		let next = at + 1;
		const escaped = char === "\\" ? chars[next] : void 0;
		if (escaped !== void 0) {
			ranges = [[escaped, escaped]];
			next += 1;
		} else if (char === "[") {
			const end = chars.indexOf("]", at);
			if (end === -1) return err("Close the set with `]`. For a bracket in a name, write `\\[`.");
			const set = rangesOf(chars.slice(at + 1, end).join(""));
			if (set === void 0) return err(SET_FORM);
			ranges = set;
			next = end + 1;
		}
		const mark = chars[next];
		const isMarked = mark === "?" || mark === "+";
		if (isMarked && char === "/") return err(NOTHING_BEFORE);
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
function matchesPath(patterns, path) {
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
	return [ANY_FILE, ...samples].every((path) => matchesPath(patterns, path));
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
	return SEVERITY_LEVELS.flatMap((level) => rules.filter(({ severity }) => severity === level));
}
function proofOf({ evidence }) {
	return EVIDENCE_LEVELS.indexOf(evidence);
}
function neededEvidence({ rules }, { level }) {
	if (level === "unknown") return rules.length === 0 ? void 0 : "any";
	return rules.find(({ severity }) => severityRank(severity) >= severityRank(level))?.evidence;
}
function mildestOf({ rules }) {
	return rules.at(-1)?.severity;
}
function evidenceInput(failOn) {
	const { rules, defaultEvidence } = failOn;
	return rules.every(({ evidence }) => evidence === defaultEvidence) ? `fail-on-evidence: ${defaultEvidence}` : `fail-on: ${failOnText(failOn)}`;
}
function failOnText({ rules, defaultEvidence }) {
	return rules.map(({ severity, evidence }) => evidence === defaultEvidence ? severity : `${severity}:${evidence}`).join(", ") || "none";
}
function badnessOf({ outcome, allowed, conclusion }) {
	switch (outcome) {
		case "unchanged":
		case "passed": return conclusion === "success" ? 0 : 1;
		case "not-scanned": return allowed ? 2 : 3;
		case "blocked": return 4;
	}
}
function neverAllowClosed(policy, hasPullRequest) {
	if (!hasPullRequest) return policy;
	return {
		...policy,
		allowUnscanned: policy.allowUnscanned.filter((reason) => reason !== "unsupported-event")
	};
}
function judge(outcome, policy) {
	switch (outcome.kind) {
		case "unchanged": return {
			...plain("unchanged", 0, "success"),
			failure: void 0,
			allowed: false
		};
		case "not-scanned": {
			const { failure } = outcome;
			const allowed = isAllowed(failure, policy);
			return {
				...plain("not-scanned", allowed ? 0 : 1, allowed ? "neutral" : "failure"),
				failure,
				allowed
			};
		}
		case "completed": {
			const findings = groupFindings(outcome.findings, policy);
			if (outcome.scan.status !== "COMPLETED") throw new Error("a verdict was asked of a scan that is not COMPLETED");
			const blocked = findings.blocking.length > 0;
			return {
				outcome: blocked ? "blocked" : "passed",
				failure: void 0,
				allowed: false,
				exitCode: blocked ? 1 : 0,
				conclusion: blocked ? "failure" : findings.reported.length > 0 ? "neutral" : "success",
				findings
			};
		}
	}
}
function isScanned({ outcome }) {
	return outcome === "passed" || outcome === "blocked";
}
function isAllowed({ reason, bySignal, repeated }, { allowUnscanned }) {
	if (reason === "configuration" || bySignal === true || repeated === true) return false;
	return reason === "paths" || allowUnscanned.includes(reason);
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
	exempt: [],
	exemptAtGate: [],
	triaged: [],
	withoutEvidence: [],
	total: 0,
	counts: countSeverities([]),
	highest: void 0
};
function mayBeReported(finding, policy) {
	const isSevere = isAtOrAbove(finding.severity, policy.severityThreshold);
	return isAtGate(finding, policy) || isSevere && isOpen(finding) && !isExempt(finding, policy);
}
function groupFindings(findings, policy) {
	const sorted = worstFirst(findings);
	const open = sorted.filter(isOpen);
	const exempt = open.filter((finding) => isExempt(finding, policy));
	const isOut = new Set(exempt);
	const judged = open.filter((finding) => !isOut.has(finding));
	const atGate = judged.filter((finding) => blocksBySeverity(finding, policy));
	const blocking = atGate.filter((finding) => hasEvidence(finding, neededEvidence(policy.failOn, finding.severity)));
	const blocks = new Set(blocking);
	const isReported = (finding) => blocks.has(finding) || isAtOrAbove(finding.severity, policy.severityThreshold);
	return {
		reported: judged.filter(isReported),
		blocking,
		below: judged.filter((finding) => !isReported(finding)),
		exempt,
		exemptAtGate: exempt.filter((finding) => blocksBySeverity(finding, policy)),
		triaged: sorted.filter((finding) => !isOpen(finding)),
		withoutEvidence: atGate.filter((finding) => !blocks.has(finding)),
		total: sorted.length,
		counts: countSeverities(open.map((finding) => finding.severity)),
		highest: open[0]?.severity.level.toUpperCase()
	};
}
function isAtGate(finding, policy) {
	return isOpen(finding) && blocksBySeverity(finding, policy) && !isExempt(finding, policy);
}
function isExemptAtGate(finding, policy) {
	return isOpen(finding) && blocksBySeverity(finding, policy) && isExempt(finding, policy);
}
function blocksBySeverity({ severity }, { failOn }) {
	return neededEvidence(failOn, severity) !== void 0;
}
function isExempt(finding, { pathsExempt }) {
	return finding.location !== void 0 && pathsOf(finding).every((path) => matchesPath(pathsExempt, path));
}
function hasEvidence({ triage, evidence }, wanted) {
	if (wanted === "any" || triage?.confirms === void 0) return true;
	return triage.confirms && (wanted === "confirmed" || evidence !== "ANALYSIS");
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
function escapeJsonForLog(json) {
	const text = json.replaceAll("##[", "##\\u005b");
	if (isPlain(text)) return text;
	return replaceInvisible(text, (character) => character === "\n" ? character : escapeOf(character));
}
function escapeOf(character) {
	return Array.from({ length: character.length }, (_, index) => character.charCodeAt(index)).map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
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
const LONGEST_WORD = 40;
function severityLabel({ level, word }) {
	if (level !== "unknown") return level.charAt(0).toUpperCase() + level.slice(1);
	return word.trim() === "" ? "Unknown severity" : `Unknown severity ${cutCharacters(word, LONGEST_WORD)}`;
}
function evidenceLabel({ triage, evidence }) {
	if (triage === void 0) return "evidence not shown";
	if (triage.word === "PENDING") return "not confirmed yet";
	if (triage.confirms !== true) return `triage: ${cutCharacters(triage.word, LONGEST_WORD).toLowerCase()}`;
	if (evidence === "POC") return "proven by a running exploit";
	if (evidence === "ANALYSIS") return "confirmed by analysis";
	if (evidence === null || evidence === void 0) return "confirmed";
	return `confirmed: ${cutCharacters(evidence, LONGEST_WORD).toLowerCase()}`;
}
function resolutionLabel({ resolution }) {
	return resolution === void 0 ? void 0 : CLOSING_STATUSES.get(resolution);
}
function closingChoice(written = (status) => status) {
	const choices = [...CLOSING_STATUSES.keys()].map(written);
	return `${choices.slice(0, -1).join(", ")} or ${choices.at(-1)}`;
}
function stillFoundText(finding) {
	return isStillFound(finding) ? `This scan still reports the finding, although it is marked RESOLVED. Push the fix, or close the finding as ${closingChoice()} in the scanning service.` : void 0;
}
const REASON_LABELS = {
	"missing-token": "GitHub did not pass the API token",
	"untrusted-fork": "untrusted fork",
	"insufficient-credits": "not enough credits",
	"rate-limited": "rate limit or spend limit reached",
	initializing: "the repository is still initializing",
	timeout: "timed out",
	"scan-failed": "scan failed",
	"scan-cancelled": "cancelled",
	"launch-unknown": "launch not confirmed",
	"service-error": "service error",
	superseded: "outdated run",
	"unsupported-event": "unsupported event",
	paths: "only files that need no scan",
	configuration: "configuration error"
};
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
function workflowMarkdown(text) {
	return safe(text);
}
function toText(markdown) {
	return markdown[source];
}
function join(pieces, separator) {
	return safe(pieces.map(toText).filter((part) => part !== "").join(separator[source]));
}
const NOTHING = safe("");
const BLANK_LINE = safe("\n\n");
const LINE_BREAK = safe("<br>");
const SEPARATOR = safe(" \u00b7 ");
function inlineCode(text) {
	return text === "" ? NOTHING : safe(`<code>${escapeCode(text)}</code>`);
}
function markdown_link(text, url, allowed) {
	const target = linkTarget(url, allowed);
	const shown = sourceOf(text);
	return safe(target === void 0 ? shown : `[${shown}](${target})`);
}
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
const TOOL = {
	name: "Scangate",
	version: "0.1.0",
	informationUri: "https://github.com/scangate/scangate"
};
function docsPage(name, section) {
	const anchor = section === void 0 ? "" : `#${section}`;
	return `${TOOL.informationUri}/blob/HEAD/docs/${name}.md${anchor}`;
}
const LAST_LINE = 2 ** 31 - 1;
function placeOf(location) {
	if (location === void 0) return void 0;
	const { startLine, endLine } = location;
	const path = fromRoot(location.path);
	if (!isPlainPath(path)) return void 0;
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
function causeWithoutLines(location) {
	if (location === void 0) return "no line is known";
	const fault = pathFault(fromRoot(location.path));
	if (fault !== void 0) return `the path ${fault}`;
	return placeOf(location) === void 0 ? "the line is invalid" : "no line is known";
}
function fromRoot(path) {
	return path.replace(/^(?:\.\/)+/, "");
}
function isLine(line) {
	return Number.isInteger(line) && line >= 1 && line <= LAST_LINE;
}
const LONGEST_SHOWN_PATH = 200;
const RENDERED = /\.(?:md|mdx|markdown|rst|adoc|org|textile|ipynb|svg|csv|tsv)$/i;
function allowedLinks(report) {
	const { target, serverUrl, serviceOrigin } = report;
	return [...target === void 0 ? [] : [`${serverUrl}/${target.repository.owner}/${target.repository.name}/`], `${serviceOrigin}/`];
}
function checksUrl({ target, serverUrl }) {
	if (target?.pullRequest === void 0) return void 0;
	const { repository, pullRequest } = target;
	return `${serverUrl}/${repository.owner}/${repository.name}/pull/${pullRequest.number}/checks`;
}
function placeLink(finding, report) {
	const place = placeOf(finding.location);
	if (place === void 0) {
		const named = finding.location?.path;
		return named === void 0 ? md`no location` : md`${inlineCode(cutCharacters(named, LONGEST_SHOWN_PATH))} (not linked: ${causeWithoutLines(finding.location)})`;
	}
	const shown = md`${inlineCode(cutCharacters(place.path, LONGEST_SHOWN_PATH))}${linesOf(place)}`;
	const url = permalink(place, report);
	return url === void 0 ? shown : markdown_link(shown, url, allowedLinks(report));
}
function serviceLink(finding, report) {
	return finding.url ?? report.publication?.url;
}
function permalink({ path, lines }, report) {
	const { target, serverUrl } = report;
	if (target === void 0) return void 0;
	const { owner, name } = target.repository;
	const file = path.split("/").map(encodeURIComponent).join("/");
	const anchor = lines === void 0 ? "" : `#L${lines.start}${lines.end > lines.start ? `-L${lines.end}` : ""}`;
	const plain = anchor !== "" && RENDERED.test(path) ? "?plain=1" : "";
	return `${serverUrl}/${owner}/${name}/blob/${target.headSha}/${file}${plain}${anchor}`;
}
function linesOf({ lines }) {
	if (lines === void 0) return NOTHING;
	return lines.end > lines.start ? md` lines ${lines.start}\u2013${lines.end}` : md` line ${lines.start}`;
}
const LONGEST_NAME = 100;
function readOnSection(report) {
	if (!hasWithheld(report)) return NOTHING;
	const scan = inlineCode(scanOf(report));
	const page = codeScanningPage(report);
	return md`**This page may be public, so it shows only the labels of the findings.** To read the findings, open scan ${scan} in the scanning service.${page === void 0 ? NOTHING : md` If this workflow uploads its ${inlineCode("sarif-file")}, users with write access can also read them in ${markdown_link("code scanning", page, allowedLinks(report))}.`}`;
}
function readOnLine(report) {
	if (!hasWithheld(report)) return void 0;
	const page = codeScanningPage(report);
	const alerts = page === void 0 ? "" : ` If this workflow uploads its \`sarif-file\`, users with write access can also read them in code scanning: ${page}`;
	return `This log may be public, so it shows only the labels of the findings. To read the findings, open scan \`${scanOf(report)}\` in the scanning service.${alerts}`;
}
function hasWithheld({ disclosure, verdict }) {
	return disclosure === "labels" && verdict.findings.total > 0;
}
function scanOf({ scanId = "" }) {
	return cutCharacters(scanId, LONGEST_NAME);
}
function codeScanningPage({ target, serverUrl }) {
	if (target === void 0 || scanKindOf(target) !== "full") return void 0;
	const { owner, name } = target.repository;
	return `${serverUrl}/${owner}/${name}/security/code-scanning`;
}
const SPECIAL = new RegExp(`(\`[^\`]+\`|${docsPage("[a-z-]+").replaceAll(".", "\\.")}(?:#[a-z-]+)?)`);
function renderCodeSpans(text, renderRest = (rest) => md`${rest}`) {
	return md`${text.split(SPECIAL).map((piece, index) => index % 2 === 1 ? renderSpecial(piece) : renderRest(piece))}`;
}
function renderSpecial(piece) {
	if (piece.startsWith("`")) return inlineCode(piece.slice(1, -1));
	const [page, section] = piece.slice(piece.lastIndexOf("docs/")).split("#");
	const heading = section?.replaceAll("-", " ").replace(/^./, (letter) => letter.toUpperCase());
	return markdown_link(heading ?? page ?? "", piece, [`${TOOL.informationUri}/`]);
}
function truncateText(text, bytes, render = (line) => renderCodeSpans(line)) {
	let fitting = NOTHING;
	let shortest = 0;
	let longest = Math.min(text.length, bytes);
	for (let length = longest; shortest <= longest; length = Math.floor((shortest + longest) / 2)) {
		const written = render(cutCharacters(text, length));
		if (byteLength(toText(written)) <= bytes) {
			fitting = written;
			shortest = length + 1;
		} else longest = length - 1;
	}
	return fitting;
}
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const DEEPEST_INDENT = 40;
function renderUntrustedText(text) {
	const blocks = [];
	let lines = [];
	let fence;
	const endBlock = () => {
		if (fence !== void 0) blocks.push(codeBlock(lines.join("\n")));
		else blocks.push(join(lines.map(proseLine), LINE_BREAK));
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
	return join(blocks, BLANK_LINE);
}
function proseLine(line) {
	const text = line.trimStart();
	const indent = line.slice(0, line.length - text.length).replaceAll("	", "  ").length;
	return md`${Array.from({ length: Math.min(indent, DEEPEST_INDENT) }, () => md`&#160;`)}${renderCodeSpans(text)}`;
}
const RERUN = /(re-run this job)/i;
function linkingRun(report) {
	return linking(report.runUrl, report);
}
function linkingChecks(report) {
	return linking(checksUrl(report), report);
}
function linking(page, report) {
	if (page === void 0) return (text) => renderCodeSpans(text);
	const allowed = allowedLinks(report);
	const linked = (text) => text.split(RERUN).map((piece, index) => index % 2 === 1 ? markdown_link(piece, page, allowed) : md`${piece}`);
	return (text) => renderCodeSpans(text, (piece) => md`${linked(piece)}`);
}
function withholdFindings(groups) {
	const known = new Map();
	const withhold = (finding) => {
		const withheld = known.get(finding) ?? {
			label: finding.label,
			level: finding.severity.level
		};
		known.set(finding, withheld);
		return withheld;
	};
	const all = (findings) => findings.map(withhold).sort(bySeverityAndLabel);
	return {
		reported: all(groups.reported),
		blocking: all(groups.blocking),
		below: all(groups.below),
		exempt: all(groups.exempt),
		exemptAtGate: all(groups.exemptAtGate),
		triaged: all(groups.triaged),
		withoutEvidence: all(groups.withoutEvidence),
		total: groups.total,
		counts: groups.counts,
		highest: groups.highest
	};
}
function bySeverityAndLabel(a, b) {
	const byLabel = a.label < b.label ? -1 : Number(a.label > b.label);
	return severityRank(a.level) - severityRank(b.level) || byLabel;
}
function toReport(whole) {
	const { verdict, disclosure } = whole;
	if (disclosure !== "labels") return {
		...whole,
		disclosure
	};
	return {
		...whole,
		disclosure,
		verdict: {
			...verdict,
			findings: withholdFindings(verdict.findings)
		}
	};
}
function reportOfStop(failure, known = {}) {
	const { policy = NO_POLICY } = known;
	return {
		policy,
		verdict: judge({
			kind: "not-scanned",
			failure
		}, policy),
		disclosure: disclosureOf(void 0),
		checkName: "",
		date: new Date(0),
		timeSpent: {
			waitedForReadinessMs: 0,
			scanMs: 0,
			totalMs: 0
		},
		serverUrl: "",
		serviceOrigin: "",
		runUrl: "",
		runAttempt: 1,
		warnings: [],
		...known
	};
}
const NO_POLICY = {
	severityThreshold: "medium",
	failOn: FAIL_ON_NONE,
	allowUnscanned: [],
	pathsExempt: []
};
function showsProof({ disclosure }) {
	return disclosure === "everything";
}
const LONGEST_TITLE = 300;
const LONGEST_LABEL = 40;
function findingBlocks(findings, report, fresh = []) {
	const isNew = new Set(fresh);
	const blocking = new Set(report.verdict.findings.blocking);
	return findings.map((finding) => ({
		row: () => join([
			firstLine(finding),
			secondLine(finding, report, {
				blocks: blocking.has(finding),
				isNew: isNew.has(finding)
			}),
			md`${stillFoundText(finding) ?? ""}`
		], LINE_BREAK),
		hasDetails: [
			finding.description,
			finding.recommendedFix,
			finding.proofOfConcept
		].some(isText),
		isUnread: finding.detailsUnread === true,
		details: (longest) => details(finding, report, longest)
	}));
}
function firstLine(finding) {
	const title = cutCharacters(finding.title, LONGEST_TITLE);
	return md`${ICONS[finding.severity.level]} <b>${severityLabel(finding.severity)}: ${title}</b>`;
}
function secondLine(finding, report, { blocks, isNew }) {
	return join([
		placeLink(finding, report),
		isNew ? md`**new**` : NOTHING,
		blocks ? md`**blocks**` : NOTHING,
		md`${evidenceLabel(finding)}`,
		md`${resolutionLabel(finding) ?? ""}`,
		labelLink(finding, report)
	], SEPARATOR);
}
function labelLink(finding, report) {
	const label = labelCode(finding.label);
	return finding.url === void 0 ? label : markdown_link(label, finding.url, allowedLinks(report));
}
function labelCode(label) {
	return inlineCode(cutCharacters(label, LONGEST_LABEL));
}
function findingTexts(finding, report, longest) {
	const pieces = [
		section(NOTHING, finding.description, longest),
		section(md`**How to fix**`, finding.recommendedFix, longest),
		proof(finding, report, longest)
	];
	return pieces.every((part) => part === NOTHING) ? NOTHING : join(pieces, BLANK_LINE);
}
function details(finding, report, longest) {
	const body = findingTexts(finding, report, longest);
	return body === NOTHING ? NOTHING : md`<details><summary>Details and fix</summary>\n\n${body}\n\n</details>`;
}
function isText(text) {
	return text !== void 0 && text.trim() !== "";
}
function section(heading, text, longest) {
	if (!isText(text)) return NOTHING;
	const kept = cutCharacters(text, longest);
	return join([
		heading,
		renderUntrustedText(kept),
		cutNote(text, kept)
	], BLANK_LINE);
}
function proof(finding, report, longest) {
	const text = finding.proofOfConcept;
	if (!isText(text)) return NOTHING;
	if (!showsProof(report)) {
		const url = serviceLink(finding, report);
		return md`**Proof of concept**: only ${url === void 0 ? md`${SERVICE}` : markdown_link(SERVICE, url, allowedLinks(report))}, because this page may be public.`;
	}
	const kept = cutCharacters(text, longest);
	const shown = /^ {0,3}(```|~~~)/m.test(kept) ? renderUntrustedText(kept) : codeBlock(kept);
	return join([
		md`**Proof of concept**`,
		shown,
		cutNote(text, kept)
	], BLANK_LINE);
}
function cutNote(text, kept) {
	const more = text.length - (kept.length - 1);
	return kept === text ? NOTHING : md`*Cut here. ${more} more characters are in the scanning service.*`;
}
const SERVICE = "in the scanning service";
const ICONS = {
	unknown: "\ud83d\udfe3",
	critical: "\ud83d\udd34",
	high: "\ud83d\udfe0",
	medium: "\ud83d\udfe1",
	low: "\ud83d\udd35",
	info: "\u26aa"
};
function headline(facts) {
	const { verdict, policy } = facts;
	const { cause, problems = [] } = verdict.failure ?? {};
	const [text, next] = PHRASES[verdict.outcome];
	const nextStep = `${next(facts)}${evidenceNote(verdict, policy)}${exemptNote(verdict)}`;
	return {
		text: text(facts),
		cause,
		problems,
		nextStep
	};
}
const PHRASES = {
	blocked: [blockedText, blockedNext],
	passed: [passedText, passedNext],
	unchanged: [() => "Nothing to scan: no changes since the merge base", () => "Scangate launched no scan and used no credits."],
	"not-scanned": [notScannedText, notScannedNext]
};
function unlistedText({ verdict, policy }) {
	const { below, exempt, triaged } = verdict.findings;
	const pieces = [
		below.length === 0 ? [] : [`${countOf(below.length, "finding")} below ${policy.severityThreshold}`],
		exempt.length === 0 ? [] : [`${countOf(exempt.length, "finding")} exempt by path`],
		triaged.length === 0 ? [] : [`${countOf(triaged.length, "finding")} closed by triage`]
	].flat();
	return pieces.length === 0 ? void 0 : joinedByAnd(pieces);
}
function unreadText(count, above = "") {
	return `The details of ${countOf(count, "finding")}${above} are only in the scanning service.`;
}
function countOf(count, noun) {
	return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
function blockedNext({ target, serviceOrigin = "" }) {
	const host = URL.parse(serviceOrigin)?.hostname;
	const service = host === void 0 ? "the scanning service" : `the scanning service (\`${host}\`)`;
	const [commands, page] = target?.pullRequest === void 0 ? ["", ""] : [` Where it is set up, another user with write access can use ${docsPage("triage", "close-findings-by-comment")} instead.`, ` For more, see ${docsPage("outcomes", "your-pull-request-is-blocked")}.`];
	return `Push a fix for each blocking finding, or contest it: close it in ${service} as ${closingChoice((status) => `\`${status}\``)}, then re-run this job.${commands} ${ASK_MAINTAINER}${page}`;
}
function blockedText({ verdict: { findings }, policy }) {
	const count = countOf(findings.blocking.length, "finding");
	const more = [...withoutEvidence(findings.withoutEvidence.length, policy.failOn, "more"), ...exemptText(findings.exemptAtGate.length, "more")];
	return `Blocked: ${count}${isList(policy.failOn) ? "" : ` ${gateOf(policy.failOn)}`}${inBrackets([...ruleOf(policy.failOn), ...more])}`;
}
function passedText({ verdict: { findings }, policy: { failOn } }) {
	const { reported, below, exempt, triaged } = findings;
	const open = reported.length + below.length + exempt.length;
	if (open === 0 && triaged.length === 0) return "Passed: no findings";
	if (open === 0) return `Passed: no open findings, ${triaged.length} closed by triage`;
	const text = `Passed: ${countOf(open, "finding")}`;
	if (failOn.rules.length === 0) return `${text}, none can block (fail-on: none)`;
	const gate = gateOf(failOn);
	const notes = [
		...ruleOf(failOn),
		...withoutEvidence(findings.withoutEvidence.length, failOn, gate),
		...exemptText(findings.exemptAtGate.length, gate)
	];
	return notes.length === 0 ? `${text}, none ${gate}` : `${text}, none blocking${inBrackets(notes)}`;
}
function notScannedText({ verdict: { failure, allowed }, target }) {
	const text = allowed ? "Not scanned (allowed)" : "Not scanned";
	if (failure === void 0) return text;
	return `${text}: ${failure.reason === "unsupported-event" && target?.pullRequest?.state === "closed" ? "closed pull request" : REASON_LABELS[failure.reason]}`;
}
function notScannedNext({ verdict: { failure, allowed } }) {
	if (failure === void 0) return "";
	return allowed || COMPLETE.has(failure.reason) ? failure.nextStep : `${failure.nextStep} ${ASK_MAINTAINER}`;
}
const ASK_MAINTAINER = "If you cannot do this, ask a maintainer.";
const TO_GET_A_SCAN = "To get a scan";
const COMPLETE = new Set([
	"missing-token",
	"untrusted-fork",
	"superseded"
]);
function passedNext({ verdict: { findings } }) {
	if (findings.reported.length > 0) return "No blocking findings. Review the reported findings.";
	return findings.total === 0 ? "The scan completed without findings." : "The scan completed. No action is required.";
}
function isList({ rules }) {
	return rules.length > 1;
}
function gateOf(failOn) {
	return `at or above ${mildestOf(failOn)}`;
}
function ruleOf(failOn) {
	return isList(failOn) ? [`fail-on: ${failOnText(failOn)}`] : [];
}
function withoutEvidence(count, failOn, which) {
	if (count === 0) return [];
	return [`${count} ${which}${isList(failOn) ? " without the evidence" : LACKS[failOn.rules[0]?.evidence ?? "any"]}`];
}
function exemptText(count, which) {
	return count === 0 ? [] : [`${count} ${which} exempt by path`];
}
const LACKS = {
	any: "",
	confirmed: ", but not confirmed",
	poc: " without a proof of concept"
};
function inBrackets(notes) {
	return notes.length === 0 ? "" : ` (${notes.join("; ")})`;
}
function evidenceNote({ findings }, { failOn }) {
	if (findings.withoutEvidence.length === 0) return "";
	return ` Only ${joinedByAnd(failOn.rules.map(({ severity, evidence }) => BLOCKING[evidence](isList(failOn) ? `${severity} findings` : "findings")))} block (\`${evidenceInput(failOn)}\`).`;
}
function exemptNote({ findings }) {
	return findings.exemptAtGate.length === 0 ? "" : " Findings in files that `paths-exempt` matches do not block.";
}
function joinedByAnd(pieces) {
	return pieces.length < 3 ? pieces.join(" and ") : `${pieces.slice(0, -1).join(", ")}, and ${pieces.at(-1)}`;
}
const BLOCKING = {
	any: (findings) => findings,
	confirmed: (findings) => `confirmed ${findings}`,
	poc: (findings) => `${findings} with a proof of concept`
};
function groupedFindings({ findings }) {
	const blocking = new Set(findings.blocking);
	const inGroup = (group) => findings[group].map((finding) => ({
		finding,
		group,
		blocks: blocking.has(finding)
	}));
	return [
		...inGroup("reported"),
		...inGroup("below"),
		...inGroup("exempt"),
		...inGroup("triaged")
	];
}
function unreadNotice(findings) {
	const count = findings.filter(({ finding }) => finding.detailsUnread).length;
	return count === 0 ? [] : [unreadText(count)];
}
const MOST_IN_VAIN = 4;
const ROWS_BESIDE_DETAILS = .75;
function truncateFindings(blocks, budget, longest) {
	const sizeOf = (markdown) => budget.sizeOf(`${toText(markdown)}\n\n`);
	const rowLimit = blocks.some(({ hasDetails }) => hasDetails) ? budget.limit * ROWS_BESIDE_DETAILS : budget.limit;
	const shown = [];
	let size = 0;
	for (const block of blocks) {
		const row = block.row();
		const next = size + sizeOf(row);
		if (next > rowLimit) break;
		shown.push(row);
		size = next;
	}
	let withoutDetails = 0;
	let inVain = 0;
	const leftOut = blocks.length - shown.length;
	for (const [index, row] of shown.entries()) {
		const block = blocks[index];
		if (!block?.hasDetails) continue;
		const isOver = inVain > MOST_IN_VAIN * budget.limit;
		const details = isOver ? NOTHING : block.details(longest);
		const needed = sizeOf(details);
		if (isOver || size + needed > budget.limit) {
			if (!block.isUnread) withoutDetails += 1;
			inVain += needed;
		} else {
			shown[index] = md`${row}\n\n${details}`;
			size += needed;
		}
	}
	const unread = blocks.slice(0, shown.length).filter(({ isUnread }) => isUnread).length;
	return {
		markdown: join(shown, BLANK_LINE),
		leftOut,
		withoutDetails,
		unread,
		size
	};
}
function unreadNote({ unread }) {
	return unread === 0 ? NOTHING : md`${unreadText(unread, " above")}`;
}
function fitItems(items, budget) {
	const kept = [];
	let size = 0;
	for (const part of items) {
		size += budget.sizeOf(`${toText(part)}\n\n`);
		if (size > budget.limit) break;
		kept.push(part);
	}
	return {
		kept,
		leftOut: items.length - kept.length
	};
}
function fitFindings(report, group, budget, longest) {
	return report.disclosure === "labels" ? fitLabels(report, group, budget) : truncateFindings(findingBlocks(report.verdict.findings[group], report), budget, longest);
}
function fitLabels({ verdict }, group, { limit, sizeOf }) {
	const findings = verdict.findings[group];
	const blocking = new Set(verdict.findings.blocking);
	const lines = new Map();
	let size = 0;
	let listed = 0;
	for (const finding of findings) {
		const blocks = blocking.has(finding);
		const key = `${finding.level} ${blocks}`;
		const line = lines.get(key) ?? {
			heading: headingOf(finding, blocks),
			labels: []
		};
		const label = labelCode(finding.label);
		const before = lines.has(key) ? "" : `${toText(line.heading)} \n\n`;
		const next = size + sizeOf(`${before}${toText(label)}, `);
		if (next > limit) break;
		size = next;
		line.labels.push(label);
		lines.set(key, line);
		listed += 1;
	}
	const shown = Array.from(lines.values(), ({ heading, labels }) => md`${heading} ${join(labels, md`, `)}`);
	const leftOut = findings.length - listed;
	return {
		markdown: join(shown, BLANK_LINE),
		leftOut,
		withoutDetails: 0,
		unread: 0,
		size
	};
}
function headingOf({ level }, blocks) {
	const severity = severityLabel({
		level,
		word: ""
	});
	return md`${ICONS[level]} <b>${severity}</b>${blocks ? md` (**blocks**)` : md``}:`;
}
function* streamedJson(document, items, write) {
	const text = escapeJsonForLog(JSON.stringify(document, null, 2));
	const place = text.lastIndexOf("[]") + 1;
	yield text.slice(0, place);
	for (const [index, item] of items.entries()) yield `${index === 0 ? "" : ","}\n${escapeJsonForLog(JSON.stringify(write(item)))}`;
	yield `${items.length === 0 ? "" : "\n"}${text.slice(place)}\n`;
}
const SCHEMA_VERSION = 1;
function describeRun(report) {
	const { verdict, policy, target, diffBase } = report;
	const { text, cause, problems, nextStep } = headline(report);
	const { findings } = verdict;
	return {
		schemaVersion: SCHEMA_VERSION,
		date: report.date.toISOString(),
		outcome: verdict.outcome,
		reason: verdict.failure?.reason ?? null,
		allowed: verdict.allowed,
		exitCode: verdict.exitCode,
		headline: text,
		cause: cause ?? null,
		problems,
		nextStep,
		...report.timeSpent,
		policy: {
			severityThreshold: policy.severityThreshold,
			failOn: failOnText(policy.failOn),
			failOnEvidence: policy.failOn.defaultEvidence,
			allowUnscanned: policy.allowUnscanned,
			pathsExempt: policy.pathsExempt.map((pattern) => pattern.text)
		},
		repository: target === void 0 ? null : `${target.repository.owner}/${target.repository.name}`,
		pullRequest: target?.pullRequest?.number ?? null,
		baseCommit: diffBase?.baseSha ?? null,
		baseFoundBy: diffBase?.baseSha === void 0 ? null : diffBase.how,
		headCommit: target?.headSha ?? null,
		scanKind: target === void 0 ? null : scanKindOf(target),
		sameFilesAs: report.sameFilesAs ?? null,
		scan: {
			id: report.scanId ?? null,
			status: report.scanStatus ?? null,
			reused: report.reused === true,
			commitConfirmed: report.commitConfirmed ?? null,
			baseConfirmed: report.baseConfirmed ?? null,
			preset: report.preflight?.preset.ref ?? null,
			creditsReserved: report.creditsReserved ?? null
		},
		creditsPullRequest: report.creditsPullRequest === void 0 ? null : { credits: report.creditsPullRequest },
		guidance: report.guidance === void 0 ? null : describeGuidance(report.guidance),
		links: {
			run: report.runUrl === "" ? null : report.runUrl,
			checkRun: report.checkRunUrl ?? null,
			published: report.publication?.url ?? null
		},
		notices: report.warnings,
		counts: isScanned(verdict) ? {
			total: findings.total,
			reported: findings.reported.length,
			blocking: findings.blocking.length,
			below: findings.below.length,
			exempt: findings.exempt.length,
			triaged: findings.triaged.length,
			severities: findings.counts,
			highest: findings.highest ?? null
		} : null
	};
}
function renderJsonReport(report) {
	const grouped = groupedFindings(report.verdict);
	const run = describeRun(report);
	const notices = [...run.notices, ...unreadNotice(grouped)];
	const document = {
		...run,
		notices,
		findings: run.counts === null ? null : []
	};
	const proof = showsProof(report);
	return streamedJson(document, grouped, (one) => describeFinding(one, proof));
}
function describeGuidance({ path, commitSha, characters, hash }) {
	return {
		path,
		commit: commitSha,
		characters,
		sha256: hash.slice(0, SHOWN_HASH_DIGITS)
	};
}
function describeFinding({ finding, group, blocks }, withProof) {
	return {
		id: finding.id ?? null,
		label: finding.label,
		group,
		blocks,
		severity: finding.severity.level.toUpperCase(),
		severityWord: finding.severity.word,
		triage: finding.triage?.word ?? null,
		evidence: finding.evidence ?? null,
		resolution: finding.resolution ?? null,
		title: finding.title,
		cwe: finding.cwe === void 0 ? null : `CWE-${finding.cwe}`,
		path: finding.location?.path ?? null,
		startLine: finding.location?.startLine ?? null,
		endLine: finding.location?.endLine ?? null,
		url: finding.url ?? null,
		description: finding.description ?? null,
		recommendedFix: finding.recommendedFix ?? null,
		proofOfConcept: (withProof ? finding.proofOfConcept : void 0) ?? null
	};
}
const LONGEST_STATUS = 40;
function outputsOf(report, delivered = {}) {
	const { outcome, reason, scanKind, baseCommit, headCommit, scan, counts, ...run } = describeRun(report);
	return {
		outcome,
		reason: reason ?? "",
		"scan-id": scan.id ?? "",
		"scan-status": cutCharacters(scan.status ?? "", LONGEST_STATUS),
		"scan-kind": scanKind ?? "",
		"scan-reused": scan.id === null ? "" : String(scan.reused),
		"base-commit": baseCommit ?? "",
		"head-commit": headCommit ?? "",
		"findings-total": String(counts?.total ?? ""),
		"findings-reported": String(counts?.reported ?? ""),
		"findings-blocking": String(counts?.blocking ?? ""),
		"severity-counts": counts === null ? "" : JSON.stringify(counts.severities),
		"highest-severity": counts?.highest ?? "",
		"credits-reserved": String(scan.creditsReserved ?? ""),
		"credits-pull-request": String(run.creditsPullRequest?.credits ?? ""),
		"public-url": run.links.published ?? "",
		"public-password": report.publication?.accessPassword ?? "",
		"check-run-url": delivered.checkRunUrl ?? "",
		"comment-url": delivered.commentUrl ?? "",
		"sarif-file": delivered.sarifFile ?? "",
		"report-file": delivered.reportFile ?? ""
	};
}
function writeOutputs(outputs) {
	for (const [name, value] of Object.entries(outputs)) core_setOutput(name, value);
}
const load_node_fs = () => process.getBuiltinModule("node:fs");
const load_promises_namespaceObject = () => process.getBuiltinModule("node:fs/promises");
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
async function deliverFile(workspace, file, report, render) {
	if (file === void 0) return void 0;
	await writeInside(workspace, file, render(report));
	return file;
}
async function removeEarlierSarif(workspace, file) {
	if (file === void 0) return void 0;
	try {
		await removeInside(workspace, file);
		return;
	} catch (error) {
		return {
			reason: "configuration",
			cause: `Could not remove the file at the path of \`sarif-file\`: ${messageOf(error)}.`,
			nextStep: "Set `sarif-file` to a path inside the workspace at which there is no folder, and which the job may write."
		};
	}
}
async function writeInside(workspace, file, text) {
	const root = await (0, load_promises_namespaceObject().realpath)(workspace);
	let folder = root;
	const steps = load_node_path().relative(load_node_path().resolve(workspace), load_node_path().dirname(file)).split(load_node_path().sep).filter((step) => step !== "");
	for (const step of steps) {
		const next = load_node_path().join(folder, step);
		await (0, load_promises_namespaceObject().mkdir)(next).catch((error) => {
			if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
		});
		folder = await (0, load_promises_namespaceObject().realpath)(next);
		refuseOutside(root, folder);
	}
	const place = load_node_path().join(folder, load_node_path().basename(file));
	if ((await (0, load_promises_namespaceObject().lstat)(place).catch(() => void 0))?.isSymbolicLink()) throw new Error("the file is a symbolic link");
	const flags = load_node_fs().constants.O_WRONLY | load_node_fs().constants.O_CREAT | load_node_fs().constants.O_TRUNC | (load_node_fs().constants.O_NOFOLLOW ?? 0);
	const handle = await (0, load_promises_namespaceObject().open)(place, flags, 420);
	try {
		await handle.writeFile(typeof text === "string" ? text : inChunks(text));
	} finally {
		await handle.close();
	}
}
async function removeInside(workspace, file) {
	try {
		const folder = await (0, load_promises_namespaceObject().realpath)(load_node_path().dirname(file));
		refuseOutside(await (0, load_promises_namespaceObject().realpath)(workspace), folder);
		await (0, load_promises_namespaceObject().unlink)(load_node_path().join(folder, load_node_path().basename(file)));
	} catch (error) {
		if (!(error instanceof Error && "code" in error && MISSING.has(error.code))) throw error;
	}
}
const MISSING = new Set(["ENOENT", "ENOTDIR"]);
function refuseOutside(root, folder) {
	if (folder !== root && !folder.startsWith(root + load_node_path().sep)) throw new Error("the folder leads out of the workspace");
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
function explainGitHubError(error) {
	return sentencesOf({
		cause: causeOf(error),
		nextStep: fixOf(error)
	});
}
function causeOf({ kind, operation, status, message }) {
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
			if (octokit === void 0) return err(failure(failed(), {
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
				const invalid = (message, again = {}) => err(failure(failed(), {
					kind: "invalid",
					status,
					message
				}, again));
				if (status >= 300) return invalid(`a redirect, status ${status}`);
				if (oversize) return err(failure(failed(), {
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
				if (data === "") return err(cutAnswer(failed(), status));
				if (typeof data === "string") return invalid("the answer is not JSON", { retryable: true });
				return invalid(describe(parsed.issues));
			} catch (thrown) {
				return err(failureOf(thrown, failed(), clock.date()));
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
			return err({
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
	return request.tooMany === void 0 ? result_ok(items) : err(unusable(request, request.tooMany));
}
const CommitId = pipe(string(), check(isCommitId, "not a full commit id"));
const ObjectId = CommitId;
const ShaOf = pipe(object({ sha: CommitId }), transform(({ sha }) => sha));
const Timestamp = pipe(string(), isoTimestamp(), transform((text) => new Date(text)), check((date) => !Number.isNaN(date.getTime()), "not a time"));
const WebAddress = pipe(nullish(string()), transform((value) => {
	const url = value == null ? null : URL.parse(value);
	return url?.protocol === "https:" || url?.protocol === "http:" ? url.href : void 0;
}));
const Content = pipe(object({
	encoding: literal("base64"),
	content: string()
}), transform(({ content }) => Buffer.from(content, "base64")));
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
const Comments = pipe(object({
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
const BranchName = pipe(string(), minLength(1));
const PullRequestNode = object({
	state: picklist([
		"OPEN",
		"CLOSED",
		"MERGED"
	]),
	updatedAt: Timestamp,
	headRefOid: CommitId,
	baseRefName: BranchName,
	baseRef: nullable(object({ target: nullable(object({ oid: CommitId })) })),
	commits: fallback(optional(object({ nodes: array(object({ commit: object({
		oid: CommitId,
		tree: object({ oid: CommitId })
	}) })) })), void 0),
	comments: fallback(optional(Comments), void 0)
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
	head: object({ sha: CommitId }),
	base: object({
		ref: BranchName,
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
async function readPullRequestState(github, pullRequest, previousHead) {
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
	return err({
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
const REREAD_AFTER_SECONDS = [
	2,
	4,
	8
];
async function readPastLag({ clock, signal }, read, mayLag) {
	let answer = await read();
	for (const seconds of REREAD_AFTER_SECONDS) {
		if (!mayLag(answer)) break;
		await clock.sleep(seconds * 1e3, signal);
		answer = await read();
	}
	return answer;
}
const KNOWN_SERVES_MINUTES = 15;
function judgeAnswer(known, answer, now) {
	const { headSha, baseName, isOpen, updatedAt, previousHead, firstAttempt, asOf } = known;
	const isYoung = asOf !== void 0 && now.getTime() - asOf.getTime() < KNOWN_SERVES_MINUTES * 6e4;
	const isReplayed = !firstAttempt && asOf === void 0;
	if (!answer.ok) {
		const { error } = answer;
		const isRefusal = [
			"not-found",
			"forbidden",
			"unauthorized"
		].includes(error.kind);
		return {
			kind: isYoung && !isRefusal ? "known-serves" : "unreadable",
			error,
			mayLag: error.kind === "not-found" && !isReplayed
		};
	}
	const state = answer.value;
	const isSameHead = state.headSha === headSha;
	if (!isSameHead && isReplayed) return {
		kind: "superseded",
		state,
		mayLag: true
	};
	const isBefore = state.headSha === previousHead;
	if ((updatedAt === void 0 ? isBefore : state.updatedAt < updatedAt || isBefore && state.updatedAt <= updatedAt) && !(isSameHead && state.baseName === baseName && state.isOpen === isOpen)) return {
		kind: firstAttempt || isYoung ? "known-serves" : "unreadable",
		error: void 0,
		mayLag: true
	};
	if (!isSameHead) return {
		kind: "superseded",
		state,
		mayLag: false
	};
	if (state.isOpen && state.baseTip?.kind === "gone") return contradictory(state.baseName);
	return {
		kind: "current",
		state,
		mayLag: false
	};
}
function contradictory(baseName) {
	return {
		kind: "contradictory",
		baseName,
		mayLag: true
	};
}
function isShown(judgement) {
	return "state" in judgement;
}
const load_node_os = () => process.getBuiltinModule("node:os");
const load_node_child_process = () => process.getBuiltinModule("node:child_process");
const load_node_diagnostics_channel = () => process.getBuiltinModule("node:diagnostics_channel");
const KEPT = new Set([
	"GIT_CONFIG_GLOBAL",
	"GIT_CONFIG_NOSYSTEM",
	"GIT_CONFIG_SYSTEM",
	"GIT_EXEC_PATH",
	"GIT_HTTP_PROXY_AUTHMETHOD",
	"GIT_SSL_CAINFO",
	"GIT_SSL_CAPATH"
]);
const REMOTE = "scangate:";
const STANDSTILL_SECONDS = 30;
function gitEnvironment(inherited, remote) {
	const env = {};
	for (const [name, value] of Object.entries(inherited)) {
		if (value === void 0) continue;
		if (!(name.startsWith("GIT_") ? !KEPT.has(name) : /^(?:INPUT|STATE|ACTIONS)_/.test(name))) env[name] = value;
	}
	const credentials = Buffer.from(`x-access-token:${remote.token}`).toString("base64");
	const config = [
		["core.hooksPath", load_node_os().devNull],
		["credential.helper", ""],
		["fetch.recurseSubmodules", "false"],
		["fetch.writeCommitGraph", "false"],
		["gc.auto", "0"],
		[`http.${remote.url}.followRedirects`, "false"],
		[`http.${remote.url}.sslVerify`, "true"],
		["http.lowSpeedLimit", "1"],
		["http.lowSpeedTime", String(STANDSTILL_SECONDS)],
		["maintenance.auto", "false"],
		[`http.${remote.url}.extraheader`, ""],
		[`http.${remote.url}.extraheader`, `AUTHORIZATION: basic ${credentials}`],
		[`url.${remote.url}.insteadOf`, REMOTE]
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
const PIPE_DELAY_MS = 1e3;
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
	(0, load_node_diagnostics_channel().subscribe)("child_process", announced);
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
		(0, load_node_diagnostics_channel().unsubscribe)("child_process", announced);
		signal.removeEventListener("abort", stop);
	}
}
function startedProcess(message) {
	if (typeof message !== "object" || message === null || !("process" in message)) return void 0;
	return message.process instanceof load_node_child_process().ChildProcess ? message.process : void 0;
}
function end(child) {
	child?.kill("SIGKILL");
	child?.stdout?.destroy();
	child?.stderr?.destroy();
}
const GIT_LIMIT_MS = 3e4;
const BASE_REF = "refs/scangate/base";
const HEAD_REF = "refs/scangate/head";
async function mergeBaseByGit(question) {
	const { serverUrl, owner, repo, token, head, base, clock, signal } = question;
	const baseId = base.kind === "commit" ? base.sha : head;
	if (!isCommitId(head) || !isCommitId(baseId)) return unavailable("base or head is not a full commit id");
	if (base.kind === "branch" && !isRefName(base.name)) return unavailable("the base branch name is not valid in git");
	const url = `${serverUrl}/${owner}/${repo}`;
	const limit = new AbortController();
	const over = new AbortController();
	clock.sleep(GIT_LIMIT_MS, over.signal).then(() => limit.abort());
	const running = AbortSignal.any([signal, limit.signal]);
	let scratch;
	try {
		scratch = await (0, load_promises_namespaceObject().mkdtemp)((0, load_node_path().join)(question.runnerTemp ?? (0, load_node_os().tmpdir)(), "scangate-git-"));
		const env = gitEnvironment(process.env, {
			url,
			token
		});
		const gitDir = scratch;
		const answer = await compute((args) => runGit(gitDir, args, {
			env,
			signal: running
		}), question);
		if (answer !== void 0) return answer;
		return unavailable(signal.aborted ? "the job was stopped" : `git took longer than ${GIT_LIMIT_MS / 1e3} seconds`);
	} catch (error) {
		return unavailable(error instanceof Error ? oneLine(error.message, token) : "git could not be started");
	} finally {
		over.abort();
		if (scratch !== void 0) await (0, load_promises_namespaceObject().rm)(scratch, {
			recursive: true,
			force: true,
			maxRetries: 3
		}).catch(() => {});
	}
}
async function compute(git, { base, head, pullRequest, token }) {
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
	let fetched = await fetchGraph(git, baseSource, head);
	if (fetched !== void 0 && fetched.exitCode !== 0 && pullRequest !== void 0 && isRefusedId(fetched)) fetched = await fetchGraph(git, baseSource, `refs/pull/${pullRequest}/head`);
	if (fetched === void 0) return void 0;
	if (fetched.exitCode !== 0) return unavailable(oneLine(fetched.stderr, token));
	const shown = await git([
		"rev-parse",
		"--verify",
		"--quiet",
		HEAD_REF
	]);
	if (shown === void 0) return void 0;
	if (shown.stdout.trim() !== head) return unavailable("the pull request has another head now");
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
	if (mergeBase === void 0 || !isCommitId(mergeBase)) return unavailable("git returned no commit id");
	return result_ok(mergeBase);
}
function fetchGraph(git, base, head) {
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
		REMOTE,
		...refs
	]);
}
function isRefusedId({ stderr }) {
	return /not our ref|unadvertised object/i.test(stderr);
}
function isRefName(name) {
	return name !== "" && !/[\s\p{Cc}~^:?*[\\]|\.\.|@\{/u.test(name);
}
function unavailable(detail) {
	return err({
		kind: "unavailable",
		detail: detail === "" ? "git failed without a message" : detail
	});
}
function oneLine(stderr, token) {
	const lines = stderr.split("\n").filter((line) => line.trim() !== "");
	const line = lines.findLast((each) => /^(?:fatal|error|remote):/.test(each)) ?? lines.at(-1) ?? "";
	const encoded = Buffer.from(`x-access-token:${token}`).toString("base64");
	return (token === "" ? line : line.replaceAll(token, "***").replaceAll(encoded, "***")).replace(/[\s\p{Cc}]+/gu, " ").trim().slice(0, 300).toWellFormed();
}
const MergeBaseAnswer = object({ merge_base_commit: optional(object({
	sha: CommitId,
	commit: fallback(optional(object({ tree: ShaOf })), void 0)
})) });
const IsEmpty = pipe(object({ files: array(unknown()) }), transform(({ files }) => files.length === 0));
const operation = "read GitHub's comparison of base and head";
const permission = "contents: read";
const COMPARE = "GET /repos/{owner}/{repo}/compare/{basehead}";
async function mergeBaseByCompare(github, { base, head }) {
	for (const page of [2, 1]) {
		const answer = await octokit_read(github, {
			operation,
			permission,
			route: COMPARE,
			parameters: {
				basehead: `${base}...${head}`,
				per_page: 1,
				page
			},
			answer: MergeBaseAnswer
		});
		if (!answer.ok) return err(compareFault(answer.error, base));
		const mergeBase = answer.value.merge_base_commit;
		if (mergeBase !== void 0) return result_ok({
			sha: mergeBase.sha,
			tree: mergeBase.commit?.tree
		});
	}
	return err({
		kind: "unavailable",
		error: {
			...unusable({
				operation,
				permission
			}, "merge_base_commit is missing"),
			ambiguous: true
		}
	});
}
function comparisonIsEmpty(github, base, head) {
	return octokit_read(github, {
		operation: "read the files that changed",
		permission,
		route: COMPARE,
		parameters: {
			basehead: `${base}...${head}`,
			per_page: 1,
			page: 1
		},
		answer: IsEmpty
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
const MOST_COMMITS = 100;
const Commits = object({
	total_commits: number(),
	commits: array(object({
		sha: CommitId,
		parents: array(ShaOf)
	}))
});
async function listComparedCommits(github, { base, head }) {
	const totals = new Set();
	const noteTotal = transform(({ total_commits: total, commits }) => {
		totals.add(total);
		return commits;
	});
	const listed = await octokit_readPages(github, {
		operation: "list the commits of the change",
		permission,
		route: COMPARE,
		parameters: { basehead: `${base}...${head}` },
		answer: pipe(Commits, noteTotal)
	}, MOST_COMMITS);
	if (!listed.ok) return listed;
	return result_ok([...totals].every((total) => total === listed.value.length) ? listed.value : void 0);
}
function readCommitTree(github, sha) {
	return octokit_read(github, {
		operation: "read a commit",
		permission,
		route: "GET /repos/{owner}/{repo}/git/commits/{commit_sha}",
		parameters: { commit_sha: sha },
		answer: pipe(object({
			sha: literal(sha),
			tree: ShaOf
		}), transform(({ tree }) => tree))
	});
}
const PullRequests = array(object({
	head: ShaOf,
	merge_commit_sha: nullish(string())
}));
async function readHeadsMergedBy(github, sha) {
	const answer = await octokit_read(github, {
		operation: "read the pull requests of a commit",
		permission: "pull-requests: read",
		route: "GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls",
		parameters: {
			commit_sha: sha,
			per_page: 10
		},
		answer: PullRequests
	});
	if (!answer.ok) return answer;
	const rank = (merge) => merge === sha ? 0 : 1;
	const sorted = answer.value.toSorted((a, b) => rank(a.merge_commit_sha) - rank(b.merge_commit_sha));
	return result_ok([...new Set(sorted.map(({ head }) => head))]);
}
const SUPPORTED = "`pull_request`, `pull_request_target`, `merge_group`, `push`, `schedule` or `workflow_dispatch`";
const DEPENDABOT = "dependabot[bot]";
const Repository = object({
	full_name: string(),
	visibility: optional(string()),
	private: optional(dist_boolean())
});
function targetRepository(environment, shown) {
	return {
		owner: environment.owner,
		name: environment.repo,
		isPublic: isPublic(shown)
	};
}
function isPublic({ visibility, private: isPrivate }) {
	return visibility === void 0 ? isPrivate !== true : visibility === "public";
}
function unsupportedEvent(why) {
	return {
		reason: "unsupported-event",
		cause: `${why}.`,
		nextStep: `Run this workflow on ${SUPPORTED}.`
	};
}
function event_malformed(event, issues) {
	return err({
		reason: "configuration",
		cause: `The payload of the \`${event}\` event is not as documented: \`${getDotPath(issues[0]) ?? "the payload"}\` is missing or malformed.`,
		nextStep: "Re-run the workflow. Do not override `GITHUB_EVENT_PATH` or `GITHUB_EVENT_NAME`."
	});
}
function readPayload(eventPath) {
	try {
		return result_ok(JSON.parse(String((0, load_node_fs().readFileSync)(eventPath))));
	} catch (error) {
		return err({
			reason: "configuration",
			cause: `Could not read the event payload at \`GITHUB_EVENT_PATH\`: ${error instanceof SyntaxError ? "it is not JSON" : "the file cannot be opened"}.`,
			nextStep: "Re-run the workflow. Do not override `GITHUB_EVENT_PATH`."
		});
	}
}
const BRANCH = "refs/heads/";
const TAG = "refs/tags/";
const Fork = object({ fork: optional(dist_boolean()) });
const PushPayload = object({
	ref: string(),
	before: CommitId,
	after: CommitId,
	repository: object({
		...Repository.entries,
		...Fork.entries,
		default_branch: pipe(string(), minLength(1))
	})
});
const FullScanPayload = object({
	ref: fallback(optional(string()), void 0),
	repository: optional(object({
		...Repository.entries,
		...Fork.entries
	}))
});
function readPush(environment, payload) {
	const parsed = safeParse(PushPayload, payload);
	if (!parsed.success) return event_malformed("push", parsed.issues);
	const { ref, before, after, repository } = parsed.output;
	const branch = ref.startsWith(BRANCH) ? ref.slice(11) : "";
	if (branch === "") return err(notABranch(ref));
	if (isNone(after)) return err(deleted(branch));
	return result_ok({
		event: "push",
		repository: targetRepository(environment, repository),
		headSha: after,
		base: {
			kind: "push",
			branch,
			before: isNone(before) ? void 0 : before,
			defaultBranch: repository.default_branch
		},
		secretsWithheld: isWithheld(environment, repository.fork),
		pullRequest: void 0
	});
}
function readFullScan(environment, event, payload) {
	const parsed = safeParse(FullScanPayload, payload);
	if (!parsed.success) return event_malformed(event, parsed.issues);
	const { repository, ref } = parsed.output;
	const { sha } = environment;
	const tag = [ref, environment.ref].find((name) => name?.startsWith(TAG));
	if (tag !== void 0) return err(startedOnTag(tag));
	if (!isCommitId(sha)) return err(NO_SHA);
	return result_ok({
		event,
		repository: targetRepository(environment, repository ?? {}),
		headSha: sha,
		base: { kind: "none" },
		secretsWithheld: isWithheld(environment, repository?.fork),
		pullRequest: void 0
	});
}
function notABranch(ref) {
	return {
		...unsupportedEvent(`A push of ${JSON.stringify(ref)} is not to a branch`),
		nextStep: "To run on branches only, add `branches` to the `push` event in the workflow."
	};
}
function startedOnTag(ref) {
	return {
		...unsupportedEvent(`The workflow was started on ${JSON.stringify(ref)}, which is not a branch`),
		nextStep: "Start it on a branch."
	};
}
function deleted(branch) {
	return {
		...unsupportedEvent(`The push deleted the branch ${JSON.stringify(branch)}`),
		nextStep: "To skip such pushes, add `if: github.event.deleted != true` to the job for `push`. Do not add it to a required job."
	};
}
const NO_SHA = {
	reason: "configuration",
	cause: "`GITHUB_SHA` is not a full commit id.",
	nextStep: "Do not override the `GITHUB_` variables, then re-run the workflow."
};
function isWithheld({ actor }, isFork) {
	return isFork === true || actor === DEPENDABOT;
}
function isNone(sha) {
	return /^0+$/.test(sha);
}
const event_BranchName = pipe(string(), minLength(1));
const PullRequestPayload = object({
	action: optional(string()),
	before: fallback(optional(CommitId), void 0),
	changes: fallback(optional(object({ base: optional(unknown()) })), void 0),
	repository: Repository,
	sender: fallback(optional(object({ login: string() })), void 0),
	pull_request: object({
		number: pipe(number(), integer(), minValue(1)),
		state: optional(string()),
		updated_at: fallback(optional(Timestamp), void 0),
		user: nullish(object({ login: string() })),
		head: object({
			sha: CommitId,
			repo: nullish(object({ full_name: string() }))
		}),
		base: object({
			ref: event_BranchName,
			repo: object({ full_name: string() })
		}),
		stack: nullish(fallback(object({ base: optional(object({ ref: event_BranchName })) }), {}))
	})
});
const MergeGroupPayload = object({
	action: string(),
	repository: object({
		...Repository.entries,
		...Fork.entries
	}),
	merge_group: object({
		head_sha: CommitId,
		base_sha: CommitId,
		base_ref: pipe(string(), regex(/^refs\/heads\/./, "not a branch")),
		head_ref: fallback(optional(string()), void 0)
	})
});
function readTarget(environment, payload) {
	switch (environment.eventName) {
		case "pull_request":
		case "pull_request_target": return readPullRequest(environment, environment.eventName, payload);
		case "merge_group": return readMergeGroup(environment, payload);
		case "push": return readPush(environment, payload);
		case "schedule":
		case "workflow_dispatch": return readFullScan(environment, environment.eventName, payload);
		default: return unsupported(`The event \`${environment.eventName}\` has no change to scan`);
	}
}
const WithPullRequest = object({ pull_request: object({}) });
function hasPullRequest(payload) {
	return is(WithPullRequest, payload);
}
function readPullRequest(environment, event, payload) {
	const parsed = safeParse(PullRequestPayload, payload);
	if (!parsed.success) return event_malformed(event, parsed.issues);
	const { action, before, changes, repository, sender, pull_request: pullRequest } = parsed.output;
	const { head, base, stack } = pullRequest;
	const author = pullRequest.user?.login ?? "";
	const isFork = head.repo == null || head.repo.full_name.toLowerCase() !== base.repo.full_name.toLowerCase();
	return result_ok({
		event,
		repository: targetRepository(environment, repository),
		headSha: head.sha,
		base: {
			kind: "branch",
			name: base.ref,
			tip: void 0
		},
		secretsWithheld: isWithheld(environment, event === "pull_request" && isFork) || author === DEPENDABOT,
		pullRequest: {
			number: pullRequest.number,
			state: action === "closed" || pullRequest.state === "closed" ? "closed" : "open",
			updatedAt: pullRequest.updated_at,
			author,
			sender: sender?.login,
			isFork,
			...stack == null ? {} : { stack: { trunk: stack.base?.ref } },
			brings: broughtBy(action, changes?.base !== void 0),
			previousHead: action === "synchronize" && before !== head.sha ? before : void 0
		}
	});
}
function broughtBy(action, hasNewBase) {
	if (action === "opened" || action === "synchronize") return "head";
	if (hasNewBase || action === void 0) return "base";
	return action === "edited" ? "text" : "nothing";
}
function readMergeGroup(environment, payload) {
	const parsed = safeParse(MergeGroupPayload, payload);
	if (!parsed.success) return event_malformed("merge_group", parsed.issues);
	const { action, repository, merge_group: group } = parsed.output;
	if (action !== "checks_requested") return unsupported(`A \`merge_group\` event of type ${JSON.stringify(action)} requests no checks`);
	return result_ok({
		event: "merge_group",
		repository: targetRepository(environment, repository),
		headSha: group.head_sha,
		base: {
			kind: "merge-group",
			sha: group.base_sha,
			branch: group.base_ref.slice(11),
			pullRequest: newestEntry(group.head_ref)
		},
		secretsWithheld: isWithheld(environment, repository.fork),
		pullRequest: void 0
	});
}
function newestEntry(headRef) {
	const number = headRef?.match(/^refs\/heads\/gh-readonly-queue\/.+\/pr-([1-9]\d{0,9})-[0-9a-f]+$/)?.[1];
	return number === void 0 ? void 0 : Number(number);
}
function unsupported(why) {
	return err(unsupportedEvent(why));
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
function refuseClosed({ pullRequest }) {
	if (pullRequest?.state === "closed") return superseded_closed(pullRequest.number);
	return pullRequest?.state === "reopened" ? REOPENED : void 0;
}
function superseded_closed(pullRequest) {
	return {
		...unsupportedEvent(`Pull request #${pullRequest} is closed, so it is not scanned`),
		nextStep: "Reopen the pull request to have it scanned. If another open pull request has this commit as its head, re-run the job of that one."
	};
}
const REOPENED = {
	...unsupportedEvent("The pull request was closed when GitHub sent this event. It is open now"),
	nextStep: "See the run that started when the pull request was reopened. If there is none, push a commit."
};
function supersededByHead(headSha) {
	return {
		reason: "superseded",
		cause: `The pull request now has another head commit: \`${headSha}\`.`,
		nextStep: "See the run for that commit."
	};
}
function supersededByBase(baseName) {
	return {
		reason: "superseded",
		cause: `The pull request now has another base branch: ${JSON.stringify(baseName)}.`,
		nextStep: "See the run that started when the base branch changed. If there is none, re-run this job. The re-run uses the current base branch."
	};
}
function pullRequestUnreadable(error) {
	const cause = `Could not confirm the head and base branch of the pull request. ${error === void 0 ? STALE : causeOf(error)}`;
	return (error && accessRefused(error, cause)) ?? {
		reason: "service-error",
		cause,
		nextStep: "Re-run this job later."
	};
}
function baseBranchNotShown(baseName) {
	return {
		reason: "service-error",
		cause: `GitHub shows the pull request as open, but not its base branch ${JSON.stringify(baseName)}.`,
		nextStep: "Re-run this job later. If it fails again, check that the branch exists, or choose another base branch."
	};
}
function describeKnownServes(error, what) {
	return error === void 0 ? `${STALE} Using the head and base branch of ${what} instead.` : `${explainGitHubError(error)} Using the head and base branch of ${what} instead, which is less than ${KNOWN_SERVES_MINUTES} minutes old.`;
}
const STALE = "GitHub still shows an older state of the pull request.";
function noMergeBase(why) {
	return `Could not compute the merge base. ${why}`;
}
const IF_COMMIT_EXISTS = "If the commit exists, add `contents: read` to the job's `permissions` and push, or check `github-token`.";
function baseUnavailable(cause, error) {
	return (error && accessRefused(error, cause)) ?? {
		reason: "service-error",
		cause,
		nextStep: "Re-run this job later. If it fails again, add `contents: read` to its `permissions` and push."
	};
}
async function findMergeBase(deps, base, { headSha, pullRequest }) {
	const { github, githubToken, environment, clock, signal } = deps;
	let error;
	if (base.kind === "commit") {
		const compared = await readPastLag({
			clock,
			signal
		}, () => mergeBaseByCompare(github.until(signal), {
			base: base.sha,
			head: headSha
		}), (answer) => !answer.ok && answer.error.kind === "unknown-commit");
		if (compared.ok) return result_ok({
			...compared.value,
			how: "compare"
		});
		if (compared.error.kind !== "unavailable") return err(compared.error);
		error = compared.error.error;
	}
	const fetched = await mergeBaseByGit({
		serverUrl: environment.serverUrl,
		owner: environment.owner,
		repo: environment.repo,
		token: githubToken,
		base,
		head: headSha,
		pullRequest: pullRequest?.number,
		runnerTemp: environment.runnerTemp,
		clock,
		signal
	});
	if (fetched.ok) return result_ok({
		sha: fetched.value,
		how: "git"
	});
	if (fetched.error.kind !== "unavailable") return err({ kind: fetched.error.kind });
	if (signal.aborted) return err({ kind: "stopped" });
	return err({
		kind: "unavailable",
		detail: explain(error, fetched.error),
		error
	});
}
function explain(error, { detail }) {
	return `${error === void 0 ? "Could not read the tip of the base branch." : explainGitHubError(error)} Git failed, too: ${detail}.`;
}
function branchSide(name, tip) {
	return tip === void 0 ? {
		kind: "branch",
		name
	} : {
		kind: "commit",
		sha: tip
	};
}
async function readBranchSide({ github, signal }, branch) {
	const tip = await readBranchTip(github.until(signal), branch);
	if (!tip.ok) {
		const refused = accessRefused(tip.error, noMergeBase(causeOf(tip.error)));
		return result_ok({
			side: branchSide(branch, void 0),
			refused
		});
	}
	if (tip.value.kind === "gone") return err(branchGone(branch));
	return result_ok({ side: branchSide(branch, tip.value.sha) });
}
function branchGone(branch) {
	return {
		reason: "configuration",
		cause: `The base branch ${JSON.stringify(branch)} was not found: it was deleted or renamed, or the token has no access.`,
		nextStep: "If the branch exists, add `contents: read` to the job's `permissions` and push. If not, choose another base branch and push."
	};
}
function watchPullRequest(step, event, firstAttempt) {
	const { headSha, base, pullRequest } = event;
	if (pullRequest === void 0 || base.kind !== "branch") return void 0;
	const { updatedAt, previousHead, state } = pullRequest;
	const isOpen = state === "open";
	const asOf = firstAttempt ? updatedAt : void 0;
	return {
		...step,
		target: {
			...event,
			pullRequest,
			base
		},
		known: {
			headSha,
			baseName: base.name,
			isOpen,
			updatedAt,
			previousHead,
			firstAttempt,
			asOf
		},
		first: void 0,
		newest: void 0,
		begun: void 0,
		last: void 0
	};
}
async function readFirst(watch) {
	const { github, clock, target, known } = watch;
	const { number } = target.pullRequest;
	const signal = watch.deadlines.work;
	const read = async () => {
		const answer = await readPullRequestState(github.until(signal), number, known.previousHead);
		const judged = judgeAnswer(known, answer, clock.date());
		return judged.mayLag ? {
			judged,
			base: target.base
		} : findBase(watch, judged);
	};
	const found = await readPastLag({
		clock,
		signal
	}, read, ({ judged }) => judged.mayLag);
	const { judged, base } = found.judged.mayLag ? await findBase(watch, found.judged) : found;
	const stopped = stopCause(signal);
	if (stopped !== void 0) return err(explainStop(stopped, "it launched a scan"));
	if (judged.kind === "unreadable") return err(pullRequestUnreadable(judged.error));
	if (judged.kind === "contradictory") return err(baseBranchNotShown(judged.baseName));
	if (!isShown(judged)) {
		watch.target = {
			...target,
			base
		};
		watch.warn(describeKnownServes(judged.error, "the event"));
		return result_ok(watch.target);
	}
	const { state } = judged;
	if (judged.kind === "superseded" && state.isOpen) return err(supersededByHead(state.headSha));
	const { baseName, isOpen, updatedAt } = state;
	const open = target.pullRequest.state === "closed" ? "reopened" : "open";
	const { isPublic } = target.repository;
	watch.first = state;
	watch.target = {
		...target,
		base,
		repository: {
			...target.repository,
			isPublic: isPublic || state.inPublic === true
		},
		pullRequest: {
			...target.pullRequest,
			state: isOpen ? open : "closed",
			updatedAt
		}
	};
	watch.known = {
		...known,
		baseName,
		isOpen,
		updatedAt,
		previousHead: void 0,
		asOf: clock.date()
	};
	return result_ok(watch.target);
}
async function findBase({ github, deadlines, known }, judged) {
	const state = judged.kind === "current" ? judged.state : void 0;
	const name = state?.baseName ?? known.baseName;
	const base = {
		kind: "branch",
		name,
		tip: void 0
	};
	if (!(state?.isOpen ?? (judged.kind === "known-serves" && known.isOpen))) return {
		judged,
		base
	};
	const tip = state?.baseTip ? result_ok(state.baseTip) : await readBranchTip(github.until(deadlines.work), name);
	if (!tip.ok) {
		const tipRefused = accessRefused(tip.error, noMergeBase(causeOf(tip.error)));
		return {
			judged,
			base: {
				...base,
				tipRefused
			}
		};
	}
	if (tip.value.kind === "gone") return {
		judged: contradictory(name),
		base
	};
	return {
		judged,
		base: {
			...base,
			tip: tip.value.sha
		}
	};
}
async function readNow(watch, signal) {
	const { github, clock, target } = watch;
	const answer = await readPullRequestState(github.until(signal), target.pullRequest.number);
	if (answer.ok) saw(watch, answer.value);
	return {
		answer,
		at: clock.now()
	};
}
function saw(watch, state) {
	const judged = judgeAnswer(watch.known, result_ok(state), watch.clock.date());
	const { newest } = watch;
	if (isShown(judged) && (newest === void 0 || state.updatedAt >= newest.state.updatedAt)) watch.newest = judged;
}
async function readAgain(watch, signal) {
	const { clock, known } = watch;
	const read = async () => {
		const last = await readLast(watch, signal);
		return {
			...judgeAnswer(known, last.answer, clock.date()),
			...last
		};
	};
	return readPastLag({
		clock,
		signal
	}, read, ({ mayLag }) => mayLag);
}
function findChange(watch, mayClose = false) {
	const { newest, known, target } = watch;
	if (newest === void 0) return void 0;
	const { headSha, baseName, isOpen } = newest.state;
	const { pullRequest } = target;
	if (!(newest.kind === "superseded" || baseName !== known.baseName) && (isOpen || mayClose)) return void 0;
	if (!isOpen) watch.target = {
		...target,
		pullRequest: {
			...pullRequest,
			state: "closed"
		}
	};
	if (!isOpen && !mayClose) return superseded_closed(pullRequest.number);
	return newest.kind === "superseded" ? supersededByHead(headSha) : supersededByBase(baseName);
}
const LOOK_SERVES_MS = 5e3;
function beginLastRead(watch) {
	watch.begun = {
		at: watch.clock.now(),
		read: readNow(watch, watch.deadlines.work)
	};
}
async function readLast(watch, signal) {
	const { begun } = watch;
	watch.begun = void 0;
	const early = begun && isRecent(watch, begun.at) ? await begun.read : void 0;
	return early === void 0 || early?.answer.ok === false && early.answer.error.kind === "stopped" ? readNow(watch, signal) : early;
}
function isRecent({ clock }, at) {
	return clock.now() - at <= LOOK_SERVES_MS;
}
const CONFIRM_AFTER_STOP_MS = 15e3;
async function pull_request_confirm(watch) {
	const { clock, deadlines, first } = watch;
	const { work, wrapUp, signalled } = deadlines;
	let limit;
	const read = () => {
		if (work.aborted) limit ??= clock.timeout(CONFIRM_AFTER_STOP_MS);
		return readAgain(watch, limit ? AbortSignal.any([
			wrapUp,
			signalled,
			limit.signal
		]) : work);
	};
	let last = await read();
	if (last.kind === "known-serves" && last.error !== void 0) last = await read();
	limit?.clear();
	if (signalled.aborted) return explainStop("signal", "it could confirm the result");
	const failure = findChange(watch, first !== void 0);
	if (failure === void 0 && last.kind === "unreadable") return pullRequestUnreadable(last.error);
	if (failure === void 0 && last.kind === "contradictory") return baseBranchNotShown(last.baseName);
	const { newest } = watch;
	watch.last = {
		answer: isShown(last) && newest ? result_ok(newest.state) : last.answer,
		at: last.at
	};
	if (failure === void 0 && last.kind === "known-serves") watch.warn(describeKnownServes(last.error, first === void 0 ? "the event" : "its first read"));
	return failure;
}
async function readForComment(watch, signal) {
	const { last } = watch;
	return last && isRecent(watch, last.at) ? last.answer : (await readLast(watch, signal)).answer;
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
	return inputs_oneLine(withDefault("check-name"), LONGEST_CHECK_NAME, faultOf("check-name"));
}
function inputs_oneLine(given, longest, fault) {
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
const TIMEOUT_MINUTES = {
	diff: 60,
	full: 350
};
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
	if (baseSha !== void 0 && !isCommitId(baseSha)) faultOf("base-commit")(`is ${quote(baseSha)}. Use a full commit SHA of 40 or 64 hexadecimal digits.`);
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
		commentNote: inputs_oneLine(text("comment-note") ?? "", LONGEST_NOTE, faultOf("comment-note")),
		annotations: word("annotations", ["auto", "off"]),
		sarifFile,
		reportFile
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
	if (issue.received === "undefined") return err(`\`${member}\` is missing`);
	return err(`\`${member}\` is not ${issue.kind === "schema" && issue.type !== "custom" ? issue.expected : issue.message}`);
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
function sentValue({ sets, removes }, field, chosen) {
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
const TERMINAL = new Set([
	"COMPLETED",
	"FAILED",
	"CANCELLED"
]);
function isTerminal(status) {
	return TERMINAL.has(status);
}
const UNKNOWN_AREA = "";
function matchCommit(shown, expected) {
	if (shown === void 0) return "cannot-tell";
	const id = shown.toLowerCase();
	if (id === expected) return "same";
	return expected.startsWith(id) ? "cannot-tell" : "different";
}
function shownInFull(shown, expected) {
	if (shown === void 0) return void 0;
	const id = shown.toLowerCase();
	return isCommitId(id) && id.length === expected.length ? id : void 0;
}
function matchBase(shown, expected) {
	if (expected !== void 0) return matchCommit(shown ?? void 0, expected);
	return shown == null ? "same" : "different";
}
function showsOtherChange(scan, { baseSha, headSha }) {
	return matchCommit(scan.headSha, headSha) === "different" || matchBase(scan.baseSha, baseSha) === "different";
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
	if (!isRecord(json)) return err("`body` is not an object");
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
	return scanId === void 0 ? err("no readable scan id") : result_ok({ scanId });
}
function decodeScan(json, askedFor) {
	const decoded = decode(scanDetail, json);
	if (!decoded.ok) return decoded;
	const { scan } = decoded.value;
	const names = ASSUMED.scan;
	const status = firstOf(scan, ["status"], lookup_text);
	if (status === void 0) return err("`scan.status` is not a string");
	if ((firstOf(scan, names.id, lookup_text) ?? askedFor) !== askedFor) return err("`scan` is another scan");
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
const wire_readPaths = pathsReader(ASSUMED.finding.location);
const readTitle = (value) => {
	const title = (lookup_text(value)?.split(LINE_END) ?? []).map((line) => line.trim()).filter((line) => line !== "").join(" ");
	return isBlank(title) ? void 0 : title;
};
const LINE_END = /[\n\v\f\r\u0085\u2028\u2029]/;
function readFinding(item) {
	const names = ASSUMED.finding;
	const id = firstOf(item, names.id, usableId);
	const location = readLocation(item);
	const otherPaths = wire_readPaths(item).filter((path) => path !== location?.path);
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
		const stopped = (sent) => err({
			kind: "stopped",
			operation,
			sent,
			by: stopCause(signal) ?? "signal"
		});
		const unreachable = ({ detail, ...failure }) => err({
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
		const invalid = (problem, detail) => err({
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
		return err({
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
function inGrowingPool(items, { from, to }, work) {
	const queue = items.values();
	const waiting = [];
	let width = from;
	let mayGrow = true;
	let active = 0;
	return new Promise((resolve, reject) => {
		const narrow = () => {
			width = from;
			mayGrow = false;
			active -= 1;
			const turn = new Promise((proceed) => waiting.push(proceed));
			fill();
			return turn;
		};
		const finish = (wentWell) => {
			active -= 1;
			if (wentWell && mayGrow) width = Math.min(width + 1, to);
			fill();
		};
		const fill = () => {
			while (active < width) {
				const proceed = waiting.shift() ?? startNext();
				if (proceed === void 0) break;
				active += 1;
				proceed();
			}
			if (active === 0) resolve();
		};
		const startNext = () => {
			const next = queue.next();
			return next.done ? void 0 : () => void work(next.value, narrow).then(finish, reject);
		};
		fill();
	});
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
		if (reading === MOST_READINGS) return err(pages.invalid("shifting-list", `not the same list from page to page, ${reading} times`));
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
	if (count > MOST_PAGES) return err(pages.invalid("wrong-shape", `a list of ${total} items in pages of ${cap}`));
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
		return err(pages.invalid("wrong-shape", `page ${page.value.page} in the place of page ${number}`));
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
			return value.ok ? value : err(invalid(operation, answer.value.status, "wrong-shape", value.error));
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
				if (status !== 202) return err(`HTTP ${status}, not 202`);
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
				return found.ok && found.value.id !== void 0 && found.value.id !== findingId ? err("`finding` is another finding") : found;
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
const Rules = array(fallback(object({
	type: string(),
	parameters: optional(unknown())
}), { type: "" }));
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
const branch_rules_operation = "read the merge queue of the base branch";
const branch_rules_permission = "contents: read";
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
		operation: branch_rules_operation,
		permission: branch_rules_permission,
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
	const message = messageLine(answer.errors.map((error) => error.message).join("; "));
	return err({
		...unusable({
			operation: branch_rules_operation,
			permission: branch_rules_permission
		}, message),
		kind: "forbidden"
	});
}
async function readGrouping(github, branch) {
	const queue = await readMergeQueue(github, branch, await readBranchRules(github, branch));
	return queue.ok && queue.value !== "none" ? queue.value : void 0;
}
function groupingOf(rules) {
	const queues = rules.filter(({ type }) => type === "merge_queue");
	if (queues.length === 0) return void 0;
	return queues.every(({ parameters }) => is(AllGreen, parameters)) ? "ALLGREEN" : "HEADGREEN";
}
async function checkGivenBase(deps, target, given) {
	const { headSha } = target;
	if (given === headSha) return err(CONTAINS_HEAD);
	const diffBase = {
		baseSha: given,
		headSha,
		how: "input"
	};
	const found = await findMergeBase(deps, {
		kind: "commit",
		sha: given
	}, target);
	if (found.ok) return found.value.sha === headSha ? err(CONTAINS_HEAD) : result_ok(diffBase);
	switch (found.error.kind) {
		case "no-common-ancestor":
		case "several": return result_ok(diffBase);
		case "stopped": return err(explainStop(stopCause(deps.signal), "it launched a scan"));
		case "unknown-commit": return err(unknownCommit(given, headSha));
		case "unavailable": return err(baseUnavailable(`Could not compare the base that the workflow sets with the head. ${found.error.detail}`, found.error.error));
	}
}
const CONTAINS_HEAD = {
	reason: "configuration",
	cause: "The base in `base-commit` or `launch-parameters` equals or contains the head, so a scan would see no change.",
	nextStep: "Remove it from the workflow and push. Scangate then uses the merge base. On `pull_request`, `github.sha` is a test merge commit that contains the head."
};
function unknownCommit(given, headSha) {
	return {
		reason: "configuration",
		cause: `GitHub does not know the base \`${given}\` or the head \`${headSha}\` in this repository.`,
		nextStep: `Fix the base in \`base-commit\` or \`launch-parameters\` and push, or remove it to use the merge base. ${IF_COMMIT_EXISTS}`
	};
}
async function sideOfPush(deps, { before, branch, defaultBranch }) {
	if (before !== void 0) return result_ok({ side: {
		kind: "commit",
		sha: before
	} });
	if (branch === defaultBranch) return err(FIRST_PUSH);
	const side = await readBranchSide(deps, defaultBranch);
	return side.ok ? side : err({
		...side.error,
		nextStep: DEFAULT_GONE_NEXT
	});
}
function mergedSince({ base }, runAttempt) {
	const isNewBranch = base.kind === "push" && base.before === void 0;
	if (runAttempt === 1 || !(isNewBranch || base.kind === "merge-group")) return void 0;
	return isNewBranch ? MERGED_SINCE_PUSH : MERGED_GROUP;
}
async function explainPush({ github, signal }, { kind }, { before }, headSha) {
	const from = before === void 0 ? "the default branch" : "the commit before it";
	if (kind === "no-common-ancestor") return {
		reason: "configuration",
		cause: `The pushed commit and ${from} have no common ancestor.`,
		nextStep: FULL_SCAN
	};
	if (kind === "several") return {
		reason: "service-error",
		cause: `The pushed commit and ${from} have several merge bases, and GitHub did not say which one it uses.`,
		nextStep: "Re-run this job later."
	};
	if (kind !== "unknown-commit" || before === void 0) return void 0;
	return (await readCommitTree(github.until(signal), headSha)).ok ? beforeUnknown(before) : void 0;
}
const FULL_SCAN = "Run a full scan once by `workflow_dispatch`.";
const DEFAULT_GONE_NEXT = `If the branch exists, add \`contents: read\` to the job's \`permissions\` and push. If not, run a full scan once by \`workflow_dispatch\`.`;
const FIRST_PUSH = {
	reason: "unsupported-event",
	cause: "The push created the default branch, so there is no commit to measure the change from.",
	nextStep: FULL_SCAN
};
const MERGED_SINCE_PUSH = {
	reason: "unsupported-event",
	cause: "The default branch contains the pushed commit now, so a re-run cannot measure what the push of the new branch changed.",
	nextStep: FULL_SCAN
};
const MERGED_GROUP = {
	reason: "unsupported-event",
	cause: "The base branch contains the head of the merge group now, so a re-run cannot measure what the group changed.",
	nextStep: FULL_SCAN
};
function beforeUnknown(before) {
	return {
		reason: "unsupported-event",
		cause: `GitHub does not know the commit \`${before}\` from before the push any more, so there is no commit to measure the change from.`,
		nextStep: FULL_SCAN
	};
}
async function findDiffBase(deps, target, given) {
	const { base, headSha } = target;
	if (base.kind === "none") {
		if (given !== void 0) return err(GIVEN_FOR_FULL_SCAN);
		return result_ok({
			baseSha: void 0,
			headSha,
			how: "none"
		});
	}
	if (given !== void 0) return checkGivenBase(deps, target, given);
	const from = await findSide(deps, base);
	if (!from.ok) return from;
	const { side, refused, warning } = from.value;
	const found = await findMergeBase(deps, side, target);
	if (!found.ok) {
		if (found.error.kind === "unavailable" && refused !== void 0) return err(refused);
		return err((base.kind === "push" ? await explainPush(deps, found.error, base, headSha) : void 0) ?? explainFault(found.error, headSha, deps.signal));
	}
	if (warning !== void 0) deps.warn(warning);
	const { sha: baseSha, tree: baseTree, how } = found.value;
	return result_ok({
		baseSha,
		headSha,
		how,
		baseTree
	});
}
async function findSide(deps, base) {
	switch (base.kind) {
		case "branch": return result_ok({
			side: branchSide(base.name, base.tip),
			refused: base.tipRefused
		});
		case "merge-group": return sideOfMergeGroup(deps, base);
		case "push": return sideOfPush(deps, base);
	}
}
async function sideOfMergeGroup({ github, signal }, { sha, branch }) {
	const grouping = await readGrouping(github.until(signal), branch);
	if (grouping === "ALLGREEN") return result_ok({ side: {
		kind: "commit",
		sha
	} });
	const side = await readBranchSide({
		github,
		signal
	}, branch);
	return side.ok && grouping === void 0 ? result_ok({
		...side.value,
		warning: groupingUnread(branch)
	}) : side;
}
function groupingUnread(branch) {
	return `Could not read how the merge queue of ${JSON.stringify(branch)} groups its entries. The scanned change includes the entries ahead of it.`;
}
function explainFault(fault, headSha, signal) {
	switch (fault.kind) {
		case "stopped": return explainStop(stopCause(signal), "it launched a scan");
		case "no-common-ancestor": return NO_COMMON_ANCESTOR;
		case "unknown-commit": return commitUnknown(fault.base, headSha);
		case "several": return SEVERAL_MERGE_BASES;
		case "unavailable": return baseUnavailable(noMergeBase(fault.detail), fault.error);
	}
}
const GIVEN_FOR_FULL_SCAN = {
	reason: "configuration",
	cause: "This event scans all files of the commit, but `base-commit` or `launch-parameters` gives a base.",
	nextStep: "Remove the base from the workflow and push, or use a workflow of its own for this event."
};
const NO_COMMON_ANCESTOR = {
	reason: "configuration",
	cause: "The head and the base branch have no common ancestor.",
	nextStep: "Rebase the pull request onto its base branch, or set `base-commit` in the workflow, and push."
};
const SEVERAL_MERGE_BASES = {
	reason: "service-error",
	cause: "The base and head have several merge bases, and GitHub does not show which one it uses.",
	nextStep: "Re-run this job later. If it fails again, merge the base branch into the pull request."
};
function commitUnknown(baseSha, headSha) {
	return {
		reason: "configuration",
		cause: `GitHub does not know the commit \`${baseSha}\` or \`${headSha}\` in this repository. A force push may have replaced it.`,
		nextStep: `See the run for the newest commit, or push again. ${IF_COMMIT_EXISTS}`
	};
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
function explainApiError(error, context = {}) {
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
const EXPIRY_NOTICE_MS = 6048e5;
function scopeFaults(token, willPublish) {
	const { scopes } = token;
	if (scopes === void 0) return [];
	return [
		"read",
		"scans:launch",
		...willPublish ? ["publish"] : []
	].filter((scope) => !scopes.includes(scope)).map((scope) => missingScope(scope));
}
function expiryNotices(token, now) {
	const expiry = new Date(token.expiresAt ?? NaN);
	const left = expiry.getTime() - now.getTime();
	if (!(left <= EXPIRY_NOTICE_MS)) return [];
	const day = expiry.toISOString().slice(0, 10);
	return [`\`api-token\` ${left <= 0 ? "expired" : "expires"} on ${day}. Ask a project admin of the service for a new token and update the secret.`];
}
async function readStoredGuidance(api, projectId, repositoryId, signal) {
	const read = await api.guidance(projectId, repositoryId, { signal });
	if (read.ok) return read;
	const failure = explainApiError(read.error);
	const cause = `${failure.cause} Scangate composes \`guidance-file\` with that text, so nothing was launched.`;
	return err(failure.bySignal === true ? failure : {
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
function publishFault({ when, gated }, target) {
	if (when === "never" || gated || disclosureOf(target) !== "labels") return void 0;
	return `On \`${target.event}\`, \`publish\` needs \`publish-password: true\`. This repository may be public, and the page would show everyone what is not fixed yet. Set \`publish-password\` to \`true\`, or \`publish\` to \`never\`.`;
}
const log_lines_LONGEST_TITLE = 300;
const log_lines_LONGEST_PATH = 200;
function findingLines(report) {
	return report.disclosure === "labels" ? labelLines(report) : textLines(report);
}
function labelLines({ verdict }) {
	const blocking = new Set(verdict.findings.blocking);
	return verdict.findings.reported.map((finding) => {
		const gate = blocking.has(finding) ? ", blocks" : "";
		return `${severityLabel({
			level: finding.level,
			word: ""
		})}: ${finding.label}${gate}`;
	});
}
function textLines({ verdict }) {
	const blocking = new Set(verdict.findings.blocking);
	return verdict.findings.reported.map((finding) => {
		const { label, severity, title, location } = finding;
		const place = location === void 0 ? "no location" : placeText(location);
		const gate = blocking.has(finding) ? ", blocks" : "";
		const text = stillFoundText(finding);
		const still = text === void 0 ? "" : `. ${text}`;
		return `${severityLabel(severity)}: ${cutCharacters(title, log_lines_LONGEST_TITLE)} (${label}), ${place}, ${evidenceLabel(finding)}${gate}${still}`;
	});
}
function placeText({ path, startLine }) {
	const shown = cutCharacters(path, log_lines_LONGEST_PATH);
	return startLine === void 0 ? shown : `${shown}:${startLine}`;
}
const log_lines_LONGEST_STATUS = 40;
function progressOf({ status, progress }) {
	const { phasesCompleted, phasesTotal, reservedCredits } = progress;
	const cutShort = status === "FAILED" || status === "CANCELLED";
	const weighted = cutShort ? void 0 : progress.weighted;
	const word = cutCharacters(status, log_lines_LONGEST_STATUS).toLowerCase();
	const share = cutShort ? void 0 : weighted ?? shareOf(phasesCompleted, phasesTotal);
	const pieces = [share === void 0 ? word : `${word} ${barOf(share)}`];
	if (!cutShort && phasesCompleted !== void 0 && phasesTotal !== void 0) pieces.push(`${phasesCompleted} of ${phasesTotal} phases finished`);
	if (weighted !== void 0) pieces.push(`${Math.round(weighted * 100)} % complete`);
	if (reservedCredits !== void 0) pieces.push(`${reservedCredits} credits reserved`);
	return pieces.join(", ");
}
const CELLS = 10;
function barOf(share) {
	const full = Math.floor(Math.min(Math.max(share, 0), 1) * CELLS);
	return "\u2588".repeat(full) + "\u2591".repeat(CELLS - full);
}
function shareOf(completed, total) {
	return completed === void 0 || total === void 0 || total <= 0 ? void 0 : completed / total;
}
function elapsedOf(ms) {
	const seconds = Math.floor(ms / 1e3);
	const rest = `${seconds % 60} s`;
	return seconds < 60 ? rest : `${Math.floor(seconds / 60)} min ${rest.padStart(4, "0")}`;
}
function describeTarget({ repository, pullRequest, headSha, base }) {
	const where = `${repository.owner}/${repository.name}`;
	switch (base.kind) {
		case "branch": return `Pull request #${pullRequest?.number} of ${where}: ${headSha} onto branch ${base.name}.`;
		case "merge-group": return `Merge group of ${where}: ${headSha} onto ${base.sha}, to be merged into branch ${base.branch}.`;
		case "none": return `All files of ${where} at ${headSha}.`;
		case "push": return `Push to branch ${base.branch} of ${where}: ${headSha} after ${base.before ?? "no commit: the branch is new"}.`;
	}
}
function log_lines_describeGuidance({ path, commitSha, characters, hash }) {
	return `Guidance: ${path} at ${commitSha}, ${characters} characters, SHA-256 ${hash.slice(0, SHOWN_HASH_DIGITS)}.`;
}
function describeBase({ baseSha, headSha, how }) {
	if (how === "none") return `Full scan of ${headSha}, without a base.`;
	return `Change: ${baseSha}..${headSha} (base: ${{
		input: "set in the workflow",
		compare: "merge base, from GitHub",
		git: "merge base, from git"
	}[how]}).`;
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
const MOST_KNOWN = 500;
function compareFindings(history, head, { reported, below, exempt, triaged }) {
	const before = history && headBefore(history, head);
	if (before === void 0) return void 0;
	const { known, rest } = pairUp([
		...reported,
		...triaged,
		...below,
		...exempt
	], before.findings);
	const seen = (finding) => known.has(finding);
	return {
		comparedWith: before.head,
		fresh: before.complete ? reported.filter((finding) => !seen(finding)) : void 0,
		stillOpen: reported.filter(seen),
		triaged: triaged.filter(seen),
		below: below.filter(seen),
		exempt: exempt.filter(seen),
		gone: rest
	};
}
function nextHistory(history, head, { reported, blocking }) {
	const before = history && headBefore(history, head);
	const blocks = new Set(blocking);
	const findings = (reported.length > MOST_KNOWN ? [...blocking, ...reported.filter((finding) => !blocks.has(finding))] : reported).slice(0, MOST_KNOWN).map((finding) => ({
		...traitsOf(finding),
		blocks: blocks.has(finding)
	}));
	return {
		head,
		findings,
		complete: findings.length === reported.length,
		before: before && cutTo(MOST_KNOWN - findings.length, before)
	};
}
function cutTo(most, { head, findings, complete }) {
	return {
		head,
		findings: findings.slice(0, most),
		complete: complete && findings.length <= most
	};
}
function headBefore(history, head) {
	return history.head === head ? history.before : history;
}
function pairUp(findings, before) {
	const rest = [...before];
	const known = new Set();
	const take = (finding, isSame) => {
		const index = rest.findIndex(isSame);
		if (index < 0) return;
		rest.splice(index, 1);
		known.add(finding);
	};
	for (const finding of findings) {
		const { id } = traitsOf(finding);
		if (id !== void 0) take(finding, (other) => other.id === id);
	}
	for (const finding of findings) {
		const { fingerprint } = traitsOf(finding);
		if (!known.has(finding)) take(finding, (other) => other.fingerprint === fingerprint);
	}
	return {
		known,
		rest
	};
}
const NO_ID = ".".repeat(HASH_LENGTH);
function writeHistory(history) {
	return (history.before === void 0 ? [history] : [history, history.before]).flatMap(({ head, complete, findings }) => [
		head,
		Number(complete),
		findings.map(write).join()
	]).join(":");
}
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
function write({ id = NO_ID, fingerprint, level, label, blocks }) {
	const letter = level.charAt(0);
	return `${blocks ? letter.toUpperCase() : letter}${id}${fingerprint}${label}`;
}
function history_read(entry) {
	const letter = entry.charAt(0);
	const small = letter.toLowerCase();
	const id = entry.slice(1, 9);
	return {
		level: SEVERITY_LEVELS.find((level) => level.startsWith(small)) ?? "unknown",
		id: id === NO_ID ? void 0 : id,
		fingerprint: entry.slice(9, 17),
		label: entry.slice(17),
		blocks: letter !== small
	};
}
function joinState({ mark, badness, sealed }) {
	return `${mark};${badness};${sealed}`;
}
function splitState(state = "") {
	const [mark = "", badness = "", sealed = ""] = state.split(";");
	return {
		mark,
		badness: /^\d$/.test(badness) ? Number(badness) : 0,
		sealed
	};
}
function sealFacts({ history, publication: page }, owner, seal) {
	const ofPage = page && [
		page.scanId,
		page.publicId,
		Number(page.gated)
	].map(encodeURIComponent).join(":");
	const text = `${history ? writeHistory(history) : ""}/${ofPage ?? ""}`;
	return `${text}/${seal.macOf(signed(text, owner))}`;
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
const CHECK_TITLE_CHARACTERS = 255;
const CHECK_TEXT_BYTES = 65535;
const ANNOTATION_TITLE_CHARACTERS = 255;
const ANNOTATION_TEXT_BYTES = 65536;
function outputOnTheWire(output, annotations) {
	return {
		title: cutCharacters(output.title, CHECK_TITLE_CHARACTERS),
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
		title: cutCharacters(annotation.title, ANNOTATION_TITLE_CHARACTERS),
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
async function createCheckRun(github, identity, output) {
	return createOnce(github, identity, output, (stamped) => ({
		status: "in_progress",
		output: outputOnTheWire(stamped, [])
	}));
}
async function markCheckRun(github, checkRunId, { externalId }) {
	return update(github, checkRunId, { external_id: externalId }, 0, 0);
}
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
		permission: check_run_permission,
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
			permission: check_run_permission,
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
		permission: check_run_permission,
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
		if (!list.ok) return err(answer.error);
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
const STATE = /^<!-- scangate-state ([!-=?-~]{1,20000}) -->$/;
const MARKER = /^<!-- scangate:v1 check=([0-9a-f]{16}) head=([0-9a-f]{40,64}) run=(\d{1,15}) attempt=(\d{1,15}) -->$/;
function markerLine({ checkName, headSha, runId, runAttempt }) {
	return `<!-- scangate:v1 check=${hashOf(checkName)} head=${headSha} run=${runId} attempt=${runAttempt} -->`;
}
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
function hiddenLines(marker, state) {
	const line = `<!-- scangate-state ${state} -->`;
	return STATE.test(line) ? `${markerLine(marker)}\n${line}` : markerLine(marker);
}
function readState(comment) {
	const [, line = ""] = comment.split(/\r?\n/, 2);
	return STATE.exec(line)?.[1];
}
function isLater(a, b) {
	return a.runId === b.runId ? a.runAttempt > b.runAttempt : a.runId > b.runId;
}
function saysTheSame(comment, body) {
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
function ownComments(posted, checkName, author) {
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
const comment_list_Comments = array(pipe(object({
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
async function readOwnComments(github, pullRequest, checkName, state) {
	const posted = await readComments(github, pullRequest, state);
	return posted.ok ? result_ok(ownComments(posted.value, checkName, state.viewer)) : posted;
}
async function readComments(github, pullRequest, { comments }) {
	return comments === void 0 ? listComments(github, pullRequest) : result_ok(comments);
}
async function listOwnComments(github, pullRequest, checkName, author) {
	const listed = await listComments(github, pullRequest);
	return listed.ok ? result_ok(ownComments(listed.value, checkName, author)) : listed;
}
function listComments(github, pullRequest) {
	return octokit_readPages(github, {
		operation: "read the comments of the pull request",
		permission: "pull-requests: write",
		route: "GET /repos/{owner}/{repo}/issues/{issue_number}/comments",
		parameters: { issue_number: pullRequest },
		answer: comment_list_Comments
	}, MOST_COMMENTS);
}
const KEY_BYTES = 16;
function exactKey(fields) {
	return keyOf(fields);
}
function keyOf(value) {
	return (0, load_node_crypto().createHash)("sha256").update(canonicalJson(value)).digest().subarray(0, KEY_BYTES).toString("base64url");
}
function contentKey(fields, trees) {
	const { pullRequest: _, headSha, baseSha, launchParameters, ...others } = fields;
	const names = new Map([[headSha, { tree: trees.head }], [baseSha, { tree: trees.base }]]);
	return keyOf({
		...others,
		trees,
		launchParameters: replaceTexts(launchParameters, (text) => names.get(text.toLowerCase()))
	});
}
function replaceTexts(value, replacementOf) {
	if (typeof value === "string") return replacementOf(value) ?? value;
	if (Array.isArray(value)) return value.map((member) => replaceTexts(member, replacementOf));
	if (!isRecord(value)) return value;
	return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, replaceTexts(member, replacementOf)]));
}
function isKeyOf({ key, baseSha }, fields) {
	return key === exactKey({
		...fields,
		baseSha
	});
}
function canonicalJson(value) {
	return JSON.stringify(value, (_name, member) => isRecord(member) ? Object.fromEntries(Object.keys(member).toSorted().map((name) => [name, member[name]])) : member);
}
const LONGEST_EXTERNAL_ID = 255;
const MOST_CREDITS = 999999999;
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
function encodeMark(mark, seal) {
	const text = [
		"v2",
		encodeURIComponent(mark.scanId),
		mark.pullRequest ?? NONE,
		compact(mark.headSha),
		mark.baseSha === void 0 ? NONE : compact(mark.baseSha),
		mark.key,
		mark.contentKey ?? NONE,
		mark.launchedAt,
		mark.credits === void 0 ? NONE : Math.min(mark.credits, MOST_CREDITS),
		NONE,
		mark.reusesNone ? REUSES_NONE : NONE,
		`${mark.runId}.${mark.runAttempt}`
	].join(":");
	return `${text}:${seal.macOf(text)}`;
}
function readMark(text, seal) {
	const match = MARK.exec(text);
	if (match === null) return void 0;
	const [, encodedId, pullRequest, head, base, key, contentKey, launchedAt, credits, reuse, ...rest] = match;
	const [runId, runAttempt, mac] = rest;
	const scanId = decoded(String(encodedId));
	const [headSha, baseSha] = [scan_mark_expand(String(head)), base && scan_mark_expand(base)];
	if (!isUsableId(scanId) || !isCommitId(headSha) || !isCommitId(baseSha ?? headSha)) return void 0;
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
const MOST_AHEAD_SECONDS = 300;
function launchTime({ acceptedAt, createdAt }, now) {
	const ours = Math.floor(now.getTime() / 1e3);
	const [shown = ours] = [acceptedAt?.getTime(), Date.parse(String(createdAt))].map((ms) => Math.floor(Number(ms) / 1e3)).filter((seconds) => seconds >= 0);
	return shown > ours + MOST_AHEAD_SECONDS ? ours : shown;
}
function inLaunchOrder(marks) {
	return marks.toSorted((a, b) => b.launchedAt - a.launchedAt || b.runId - a.runId || b.runAttempt - a.runAttempt || Buffer.compare(Buffer.from(a.scanId), Buffer.from(b.scanId)));
}
function compact(commitId) {
	return Buffer.from(commitId, "hex").toString("base64url");
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
function marksInComments({ comments = [], viewer }, checkName, seal) {
	return ownComments(comments, checkName, viewer).toReversed().flatMap(({ state }) => {
		const mark = readMark(splitState(state).mark, seal);
		return mark === void 0 ? [] : [{
			...mark,
			checkRun: void 0
		}];
	});
}
const MARKS_SHOWN_MS = 5e3;
const MOST_MARK_READS = 4;
const MOST_MERGED = 2;
async function findEarlierMarks(deps, target) {
	const { inputs, log, runAttempt, state } = deps;
	const number = target.pullRequest?.number;
	const isRepeat = runAttempt > 1 || (target.pullRequest?.brings ?? "head") !== "head";
	const reading = state?.comments !== void 0 || inputs.reuseScan && isRepeat ? readComment(deps, number) : void 0;
	const [ofHead, ofOlder, ofOthers] = await Promise.all([
		inputs.reuseScan || runAttempt > 1 ? marksOfHead(deps, target.headSha) : marks_NONE,
		marksOfOlderHead(deps, target, reading),
		inputs.reuseScan ? marksOfPullRequests(deps, target) : []
	]);
	const comment = await (reading ?? (inputs.reuseScan && !ofHead.ok ? readComment(deps, number) : void 0));
	const found = {
		marks: inLaunchOrder([
			...marksIn(ofHead),
			...marksIn(ofOlder),
			...ofOthers,
			...marksIn(comment?.marks)
		]),
		pullRequest: comment?.pullRequest
	};
	if (!inputs.reuseScan || marksIn(ofHead).length > 0) return found;
	if (!ofHead.ok && (isRepeat || comment?.marks.ok !== true)) log.info(`Could not look up earlier scans in check runs. ${explainGitHubError(ofHead.error)} ${PAID_AGAIN}`);
	const errors = [ofHead, comment?.marks].flatMap((found) => found?.ok === false ? [found.error] : []);
	return {
		...found,
		unlisted: errors.find((error) => mustBeListed(error, runAttempt, target))
	};
}
function mustBeListed(error, runAttempt, target) {
	return bringsNothing(runAttempt, target) && isPassing(error);
}
function bringsNothing(runAttempt, { pullRequest }) {
	return runAttempt > 1 || pullRequest?.brings === "text" || pullRequest?.brings === "nothing";
}
const PAID_AGAIN = "A scan that only a check run names is not reused, and may be paid for again.";
function marksUnlisted(error) {
	return {
		reason: "service-error",
		cause: `${causeOf(error)} An earlier run may have paid for a scan of this change, so no scan was launched.`,
		nextStep: "Re-run this job. If it fails again, push a commit to have it scanned."
	};
}
function isPassing({ kind }) {
	return [
		"unreachable",
		"rate-limited",
		"invalid",
		"too-large"
	].includes(kind);
}
const marks_NONE = {
	ok: true,
	value: []
};
function marksIn(found) {
	return found?.ok ? found.value : [];
}
async function twiceIfUnknown(ask) {
	const first = await ask();
	return !first.ok && first.error.kind === "not-found" ? ask() : first;
}
async function marksOfHead(deps, headSha) {
	const all = await twiceIfUnknown(() => marksOfCheckRuns(deps, headSha));
	if (all.ok || !isPassing(all.error)) return all;
	const named = await marksOfCheckRuns(deps, headSha, deps.inputs.delivery.checkName);
	return named.ok ? result_ok(named.value) : all;
}
async function marksOfOlderHead(deps, { pullRequest, headSha }, comment) {
	const older = pullRequest?.previousHead ?? (await comment)?.heads.find((head) => head !== headSha);
	if (older === void 0 || older === headSha) return void 0;
	const shown = deps.state?.previousChecks;
	if (shown?.headSha !== older) return marksOfCheckRuns(deps, older);
	const { externalIds } = shown;
	return result_ok(inLaunchOrder(externalIds.flatMap((externalId) => proven(externalId, deps.seal, void 0)).filter((mark) => mark.headSha === older)));
}
async function marksOfCheckRuns({ github, seal, signal }, headSha, checkName) {
	const listed = await listCheckRuns(github.until(signal), headSha, checkName);
	if (!listed.ok) return listed;
	return result_ok(inLaunchOrder(listed.value.flatMap(({ id, name, url, status, externalId }) => {
		return proven(externalId, seal, {
			id,
			name,
			url,
			completed: status === "completed"
		}).filter((mark) => mark.headSha === headSha);
	})));
}
async function marksOfPullRequests(deps, { base, headSha }) {
	switch (base.kind) {
		case "branch":
		case "none": return [];
		case "merge-group": return base.pullRequest === void 0 ? [] : marksOfEntry(deps, base.pullRequest);
		case "push": return marksOfMerged(deps, headSha);
	}
}
async function marksOfMerged(deps, headSha) {
	const heads = await readHeadsMergedBy(deps.github.until(deps.signal), headSha);
	if (!heads.ok) return [];
	const others = heads.value.filter((head) => head !== headSha).slice(0, MOST_MERGED);
	return (await Promise.all(others.map((head) => marksOfCheckRuns(deps, head)))).flatMap(marksIn);
}
async function marksOfEntry(deps, number) {
	const { github, signal } = deps;
	const state = await readPullRequestState(github.until(signal), number);
	if (!state.ok) return [];
	const ofHead = await marksOfCheckRuns(deps, state.value.headSha);
	const { comments } = state.value;
	const ofComment = comments && await readComment({
		...deps,
		state: state.value
	}, number);
	return [...marksIn(ofHead), ...marksIn(ofComment?.marks)];
}
const NO_COMMENTS = {
	marks: marks_NONE,
	heads: []
};
async function readComment({ github, inputs, seal, signal, state: known }, number) {
	if (number === void 0 || inputs.delivery.comment === "never") return NO_COMMENTS;
	const read = known ? result_ok(known) : await readPullRequestState(github.until(signal), number);
	const pullRequest = known === void 0 && read.ok ? read.value : void 0;
	const unread = (marks) => ({
		...NO_COMMENTS,
		marks,
		pullRequest
	});
	if (!read.ok) return unread(read);
	const posted = await twiceIfUnknown(() => readComments(github.until(signal), number, read.value));
	if (!posted.ok) return unread(posted);
	const newestFirst = ownComments(posted.value, inputs.delivery.checkName, read.value.viewer).toReversed();
	const marks = marksInComments({
		...read.value,
		comments: posted.value
	}, inputs.delivery.checkName, seal);
	const heads = [...newestFirst.map(({ marker }) => marker.headSha), ...marks.map(({ headSha }) => headSha)];
	return {
		marks: result_ok(marks),
		heads: [...new Set(heads)],
		pullRequest
	};
}
function proven(text, seal, checkRun) {
	const mark = readMark(text, seal);
	return mark === void 0 ? [] : [{
		...mark,
		checkRun
	}];
}
function openCheckRunsOf({ runId, runAttempt }, marks, checkName) {
	return marks.flatMap((mark) => {
		const { scanId, checkRun } = mark;
		if (mark.runId !== runId || mark.runAttempt >= runAttempt) return [];
		if (checkRun?.name !== checkName || checkRun.completed) return [];
		const { id, url } = checkRun;
		return [{
			id,
			url,
			scanId,
			ownsScan: !marks.some((other) => other.scanId === scanId && other.checkRun?.id !== id),
			mark
		}];
	});
}
function openCheckRunOf(attempt, marks, checkName, isOfStep) {
	return openCheckRunsOf(attempt, marks, checkName).find(({ mark }) => isOfStep(mark));
}
async function findOpenCheckRuns(deps, attempt, headSha, checkName) {
	if (attempt.runAttempt === 1 || deps.seal.isEmpty) return [];
	const marks = await marksOfCheckRuns(deps, headSha);
	return marks.ok ? openCheckRunsOf(attempt, marks.value, checkName) : [];
}
function createStepIdentity({ runId, runAttempt, runUrl }, { seal, checkName }, headSha, fields) {
	const unique = `${runId}:${runAttempt}:${(0, load_node_crypto().randomUUID)()}`;
	const mark = ({ scanId, launchedAt, creditsPullRequest: credits }) => scanId === void 0 || launchedAt === void 0 || fields === void 0 ? void 0 : encodeMark({
		...fields,
		credits,
		scanId,
		launchedAt,
		runId,
		runAttempt
	}, seal);
	const externalIdOf = (scan) => [mark(scan), mark({
		...scan,
		creditsPullRequest: void 0
	})].find((text) => text !== void 0 && text.length <= LONGEST_EXTERNAL_ID) ?? `run:${unique}`;
	return {
		mark,
		checkRun: (scan) => ({
			name: checkName,
			headSha,
			detailsUrl: runUrl,
			externalId: externalIdOf(scan)
		}),
		isStarted: (externalId, scan) => {
			const mark = readMark(externalId, seal);
			if (mark === void 0) return externalId === externalIdOf(scan);
			return mark.scanId === scan.scanId && mark.key === fields?.key && mark.runId === runId && mark.runAttempt === runAttempt;
		}
	};
}
const MayWrite = object({ permission: pipe(string(), transform((permission) => permission === "admin" || permission === "write")) });
async function accountMayWrite(github, login, operation) {
	const shown = await readPermission(github, login, operation, MayWrite);
	return shown.ok ? result_ok(shown.value?.permission === true) : shown;
}
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
function refuseTarget(target, { hasToken, scanForks }) {
	if (!hasToken) {
		if (!target.secretsWithheld) return TOKEN_EMPTY;
		if (target.pullRequest === void 0) return WITHHELD_FROM_COMMIT;
		if (target.event === "pull_request_target") return WITHHELD_FROM_DEPENDABOT_TARGET;
		return target.pullRequest.isFork ? WITHHELD_FROM_FORK : WITHHELD_FROM_DEPENDABOT;
	}
	if (forkWithSecrets(target) === void 0 || scanForks !== "none") return void 0;
	return {
		reason: "untrusted-fork",
		cause: "This pull request is from a fork, and `scan-forks` is `none`.",
		nextStep: `${OTHER_WAYS} A maintainer can also set \`scan-forks\` to \`trusted\` in the workflow.`
	};
}
function forkWithSecrets({ event, pullRequest }) {
	return pullRequest?.isFork === true && event === "pull_request_target" ? pullRequest : void 0;
}
async function refusePayment({ github, signal }, target, triggeringActor) {
	const fork = forkWithSecrets(target);
	if (fork === void 0) return void 0;
	const { author, sender = "" } = fork;
	const starter = triggeringActor === WORKFLOW_AUTHOR ? sender : triggeringActor;
	const accounts = [{
		login: author,
		who: "the author of the fork",
		operation: "read the author's permission"
	}, {
		login: starter,
		who: "the account that started this run",
		operation: "read that account's permission"
	}];
	for (const { login, who, operation } of starter === author ? accounts.slice(0, 1) : accounts) {
		const trust = await accountMayWrite(github.until(signal), login, operation);
		if (!trust.ok) {
			const cause = stopCause(signal);
			if (cause !== void 0) return explainStop(cause, "it launched a scan");
			if (trust.error.kind === "forbidden") return permissionRefused(login, login === author, trust.error);
			return {
				reason: "service-error",
				cause: `Could not check whether ${who} has write access. ${causeOf(trust.error)}`,
				nextStep: fixOf(trust.error)
			};
		}
		if (!trust.value) return login === author ? untrustedAuthor(author) : untrustedStarter(login);
	}
}
function untrustedAuthor(author) {
	return {
		reason: "untrusted-fork",
		cause: `This pull request is from a fork, and its author ${author || "(a deleted account)"} has no write access to this repository.`,
		nextStep: `${OTHER_WAYS} To approve scans of forks one by one, see ${docsPage("forks")}.`
	};
}
function untrustedStarter(login) {
	return {
		reason: "untrusted-fork",
		cause: `This pull request is from a fork, and ${login || "an unknown account"}, which has no write access to this repository, started this run.`,
		nextStep: "Ask a maintainer to review the change and re-run this job."
	};
}
function permissionRefused(login, isAuthor, error) {
	const { message } = error;
	const said = message === "" ? "" : ` (${message})`;
	return {
		reason: "untrusted-fork",
		cause: `This pull request is from a fork, and Scangate could not read the permission of ${isAuthor ? "its author " : ""}${login}: GitHub denied access${said}.`,
		nextStep: lacksPermission(error) ? "Ask a maintainer to remove `github-token` from the workflow, or to give that token `metadata: read`. If it is a personal access token, its owner also needs write access." : fixOf(error)
	};
}
const OTHER_WAYS = "Ask a maintainer to review the change and push it to a branch of this repository.";
const WITHHELD_FROM_FORK = {
	reason: "missing-token",
	cause: "GitHub did not pass the secrets to this pull request from a fork, so `api-token` is empty.",
	nextStep: `${OTHER_WAYS} A maintainer can also run the workflow on \`pull_request_target\`, as ${docsPage("forks")} shows. In a public repository, a policy has to allow this event (Settings \u2192 Actions \u2192 Policies).`
};
const WITHHELD_FROM_DEPENDABOT = {
	reason: "missing-token",
	cause: "GitHub passes only Dependabot secrets to pull requests from Dependabot, so `api-token` is empty.",
	nextStep: "Ask a maintainer to add the API token to the Dependabot secrets of this repository and to re-run this job."
};
const WITHHELD_FROM_DEPENDABOT_TARGET = {
	reason: "missing-token",
	cause: "GitHub withheld the secrets from this run of Dependabot on `pull_request_target`, so `api-token` is empty.",
	nextStep: "Ask a maintainer to run the workflow on `pull_request` for Dependabot, and to add the API token to the Dependabot secrets."
};
const WITHHELD_FROM_COMMIT = {
	reason: "missing-token",
	cause: "GitHub passes the secrets of a repository neither to its forks nor to runs that Dependabot started, so `api-token` is empty.",
	nextStep: "In a fork, disable this workflow, or add the secret to the fork. For Dependabot, add the token to the Dependabot secrets."
};
const TOKEN_EMPTY = {
	reason: "configuration",
	cause: "`api-token` is empty, although this event has access to secrets.",
	nextStep: "Check that the secret exists and its name matches. In a reusable workflow, the caller has to pass it, by name or by `secrets: inherit`."
};
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
function treesOnce(github) {
	const read = new Map();
	return (sha) => {
		const answer = read.get(sha) ?? readTree(github, sha);
		read.set(sha, answer);
		return answer;
	};
}
function identityOf(entry) {
	return `${entry?.mode} ${entry?.sha}`;
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
function guidanceCommit({ base, headSha }, diffBase) {
	switch (base.kind) {
		case "branch": return base.tip;
		case "merge-group":
		case "push": return diffBase?.baseSha;
		case "none": return headSha;
	}
}
async function readTrunkCommit({ github, signal }, path, trunk) {
	if (trunk === void 0) return err(TRUNK_UNKNOWN);
	const tip = await readBranchTip(github.until(signal), trunk);
	if (!tip.ok) return err(unreadable(`\`${path}\` of the branch below the stack`, tip.error, signal));
	return tip.value.kind === "gone" ? err(TRUNK_UNKNOWN) : result_ok(tip.value.sha);
}
async function readGuidanceFile({ github, signal }, path, commitSha) {
	if (commitSha === void 0) return err(COMMIT_UNKNOWN);
	const where = `\`${path}\` at commit \`${commitSha.slice(0, 7)}\` of the base side`;
	const found = await findEntry({
		github,
		signal
	}, commitSha, path);
	if (!found.ok) return err(unreadable(where, found.error, signal));
	const entry = found.value;
	if (entry === void 0) return err(absent(where));
	if (entry.kind !== "file") return err(wrong(where, guidance_file_KINDS[entry.kind], USE_A_FILE));
	if ((entry.size ?? 0) > MOST_BYTES) return err(tooLong(where));
	const bytes = await readBlob(github.until(signal), entry.sha);
	if (!bytes.ok) return err(unreadable(where, bytes.error, signal));
	const text = guidance_file_decode(bytes.value);
	if (text === void 0) return err(wrong(where, "not UTF-8 text", "Save it as UTF-8"));
	if (text.trim() === "") return err(wrong(where, "empty", "Write the guidance into it"));
	const characters = countCharacters(text);
	if (characters > LONGEST_GUIDANCE) return err(tooLong(where));
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
	return countCharacters(whole) > LONGEST_GUIDANCE ? err(tooLong(`\`${path}\` with the stored guidance`)) : result_ok(whole);
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
const TRUNK_UNKNOWN = {
	reason: "service-error",
	cause: "GitHub did not show the branch on which the stack is built, so `guidance-file` could not be read.",
	nextStep: "Check the base branch of the stack, then push."
};
function unreadable(where, error, signal) {
	const cause = `Could not read the guidance file ${where}. ${causeOf(error)}`;
	if (error.kind === "stopped") return explainStop(stopCause(signal), "it read the guidance file");
	return accessRefused(error, cause) ?? {
		reason: "service-error",
		cause,
		nextStep: fixOf(error)
	};
}
const UNREAD = "the changed files could not be read";
const TIP_UNREAD = "the files of the base branch could not be read";
const MOST_FILES = 300;
const MOST_FOLDERS = 30;
const TOO_MANY = {
	why: `more than ${MOST_FILES} files or ${MOST_FOLDERS} folders changed`,
	error: void 0
};
const EMPTY = result_ok(new Map());
async function* changedFiles(readTree, { baseSha, headSha, tip }) {
	const folders = [{
		path: "",
		base: baseSha,
		head: headSha,
		tip,
		moved: void 0
	}];
	const read = (sha) => sha === void 0 ? EMPTY : readTree(sha);
	let count = 0;
	for (const [index, folder] of folders.entries()) {
		if (index >= MOST_FOLDERS) return yield err(TOO_MANY);
		const [base, head, now] = await Promise.all([
			read(folder.base),
			read(folder.head),
			read(folder.tip)
		]);
		if (!base.ok) return yield err({
			why: UNREAD,
			error: base.error
		});
		if (!head.ok) return yield err({
			why: UNREAD,
			error: head.error
		});
		if (!now.ok) return yield err({
			why: TIP_UNREAD,
			error: now.error
		});
		for (const name of new Set([...base.value.keys(), ...head.value.keys()])) {
			const [before, after, atTip] = [
				base.value.get(name),
				head.value.get(name),
				now.value.get(name)
			];
			if (identityOf(before) === identityOf(after)) continue;
			const path = folder.path + name;
			const isSame = identityOf(before) === identityOf(atTip);
			const entries = [before, after].filter((entry) => entry !== void 0);
			if (entries.some(({ kind }) => kind === "folder")) {
				const isKept = isSame || atTip?.kind === "folder" && (before?.kind ?? "folder") === "folder";
				const [ofBase, ofHead, ofTip] = [
					before,
					after,
					atTip
				].map(folderSha);
				const moved = folder.moved ?? (isKept ? void 0 : path);
				folders.push({
					path: `${path}/`,
					base: ofBase,
					head: ofHead,
					tip: ofTip,
					moved
				});
			}
			const ends = entries.filter(({ kind }) => kind !== "folder");
			if (ends.length === 0) continue;
			count += 1;
			if (count > MOST_FILES) return yield err(TOO_MANY);
			yield result_ok({
				path,
				entries: ends,
				moved: folder.moved ?? (isSame ? void 0 : path)
			});
		}
	}
}
function folderSha(entry) {
	return entry?.kind === "folder" ? entry.sha : void 0;
}
const MOST_PARENTS = 5;
async function hasOneMergeBase({ github, signal }, { baseSha, headSha, tip }) {
	if (tip === baseSha) return true;
	const listed = await listComparedCommits(github.until(signal), {
		base: tip,
		head: headSha
	});
	if (!listed.ok || listed.value === void 0) return false;
	const own = new Set(listed.value.map(({ sha }) => sha));
	const shared = new Set(listed.value.flatMap(({ parents }) => parents).filter((sha) => !own.has(sha)));
	if (!shared.delete(baseSha) || shared.size > MOST_PARENTS) return false;
	return (await Promise.all([...shared].map(async (sha) => {
		const found = await mergeBaseByCompare(github.until(signal), {
			base: baseSha,
			head: sha
		});
		return found.ok && found.value.sha === sha;
	}))).every(Boolean);
}
async function confirmEmptyDiff(github, { baseSha, headSha, how }, signal) {
	if (baseSha === void 0) return {
		kind: "not-scanned",
		failure: EMPTY_WITHOUT_BASE
	};
	if (how === "input") return {
		kind: "not-scanned",
		failure: EMPTY_FROM_GIVEN_BASE
	};
	const empty = await comparisonIsEmpty(github.until(signal), baseSha, headSha);
	if (!empty.ok) return {
		kind: "not-scanned",
		failure: unconfirmed(empty.error, signal)
	};
	if (empty.value) return { kind: "unchanged" };
	return {
		kind: "not-scanned",
		failure: {
			reason: "configuration",
			cause: "The service found no change, but GitHub lists changed files. The service scanned another commit.",
			nextStep: "The service may not read the field `commit`. Set the field that it reads in `launch-parameters` and push."
		}
	};
}
function unconfirmed(error, signal) {
	if (error.kind === "stopped") return explainStop(stopCause(signal), "it could confirm that nothing changed");
	return {
		reason: "service-error",
		cause: `The service found no change, and GitHub could not confirm that. ${causeOf(error)}`,
		nextStep: fixOf(error)
	};
}
const EMPTY_WITHOUT_BASE = {
	reason: "configuration",
	cause: "The service looked for a change, although this event needs a scan of all files.",
	nextStep: "Set `preset` to a preset that is not a diff preset and push."
};
const EMPTY_FROM_GIVEN_BASE = {
	reason: "configuration",
	cause: "The service found no change between the base set in the workflow and the head.",
	nextStep: "Remove the base from `base-commit` and `launch-parameters` and push. Scangate then uses the merge base."
};
const LONGEST_SEARCH_MS = 3e4;
const SCANNED = {
	kind: "scanned",
	why: void 0,
	warnings: []
};
async function decideByPaths({ github, clock, signal }, target, diffBase, inputs) {
	const { baseSha, headSha, how } = diffBase;
	if (inputs.pathsUnscanned.length === 0 || !EVENTS.has(target.event)) return SCANNED;
	if (baseSha === void 0 || baseSha === headSha) return SCANNED;
	if (how === "input") return scanned("the workflow sets the base");
	return withDeadline({
		clock,
		signal,
		ms: LONGEST_SEARCH_MS
	}, (attempt) => decideByFiles({
		github,
		signal: attempt.signal
	}, target.base, {
		...diffBase,
		baseSha
	}, inputs));
}
async function decideByFiles(deps, base, diffBase, inputs) {
	const tip = base.kind === "branch" ? base.tip : diffBase.baseSha;
	if (tip === void 0) return scanned("the newest commit of the base branch is not known");
	const commits = {
		...diffBase,
		tip
	};
	const paths = [];
	for await (const file of changedFiles(treesOnce(deps.github.until(deps.signal)), commits)) {
		if (!file.ok) {
			const { why, error } = file.error;
			return {
				...scanned(why),
				warnings: error === void 0 ? [] : [unread(causeOf(error))]
			};
		}
		const reason = reasonToScan(file.value, inputs);
		if (reason !== void 0) return scanned(reason);
		paths.push(file.value.path);
	}
	if (paths.length === 0) return SCANNED;
	if (!await hasOneMergeBase(deps, commits)) return scanned("the change may have several merge bases");
	return {
		kind: "unscanned",
		failure: notScanned(paths)
	};
}
const EVENTS = new Set([
	"pull_request",
	"pull_request_target",
	"merge_group"
]);
function reasonToScan({ path, entries, moved }, { pathsUnscanned, guidanceFile }) {
	const name = unscanned_paths_shown(path);
	if (isProtected(path, guidanceFile)) return `${name} is always scanned`;
	if (entries.find(({ kind }) => kind !== "file") !== void 0) return `${name} is no regular file on both sides`;
	if (!matchesPath(pathsUnscanned, path)) return `${name} does not match`;
	return moved === void 0 ? void 0 : `${unscanned_paths_shown(moved)} has changed on the base branch`;
}
function isProtected(path, guidanceFile) {
	const name = path.toLowerCase();
	return ALWAYS_SCANNED.test(name) || name === guidanceFile?.toLowerCase();
}
const ALWAYS_SCANNED = /^\.github\/(?:workflows|actions)(?:\/|$)|(?:^|\/)(?:action\.ya?ml|\.gitmodules)$/;
function scanned(why) {
	return {
		kind: "scanned",
		why: `\`paths-unscanned\` does not apply: ${why}.`,
		warnings: []
	};
}
function unread(cause) {
	return `Could not read which files changed, so \`paths-unscanned\` does not apply. ${cause}`;
}
function notScanned(paths) {
	const names = listed(paths.map(unscanned_paths_shown));
	return {
		reason: "paths",
		cause: paths.length === 1 ? `The only changed file matches \`paths-unscanned\`: ${names}.` : `All ${paths.length} changed files match \`paths-unscanned\`: ${names}.`,
		nextStep: "Change the patterns of `paths-unscanned` in the workflow and push."
	};
}
const unscanned_paths_LONGEST_NAME = 150;
function unscanned_paths_shown(path) {
	return quoted(path, unscanned_paths_LONGEST_NAME);
}
function planBase(headSha, input, { given, sets, removes, unreadable }) {
	const head = sets.headSha?.toLowerCase() ?? headSha;
	if (unreadable.has("headSha") || head !== headSha) return err(OTHER_COMMIT);
	const sentIds = new Set(commitIdsIn(given));
	if (removes.has("headSha") && !sentIds.has(headSha)) return err(HEAD_NOT_SENT);
	if (removes.has("baseSha")) {
		const [renamed, ...more] = [...sentIds].filter((id) => id !== headSha);
		return more.length > 0 ? err(SEVERAL_BASES) : result_ok(renamed ?? input);
	}
	if (unreadable.has("baseSha")) return err(NO_COMMIT_ID);
	if (sets.baseSha === void 0) return result_ok(input);
	const base = sets.baseSha.toLowerCase();
	return isCommitId(base) ? result_ok(base) : err(NO_COMMIT_ID);
}
function commitIdsIn(value) {
	if (typeof value === "string") return isCommitId(value.toLowerCase()) ? [value.toLowerCase()] : [];
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
	if (doubtful.length > 0) return err(malformedCandidate("repositories", doubtful, void 0));
	return result_ok(sound.find(({ id }) => id === wanted));
}
function repositoryFault(repository, wanted) {
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
function chooseRepository(entries, wanted) {
	const found = findRepository(entries, wanted);
	if (!found.ok) return found;
	const fault = repositoryFault(found.value, calledIn(wanted));
	return fault === void 0 ? found : err(fault);
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
	return err({
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
	if (doubtful.length > 0) return err(malformedCandidate("repositories", doubtful, "Set `repository-id` to the id of this repository in the service"));
	const { owner, name, serverUrl } = wanted;
	const same = sound.filter((repository) => mayBeCalled(repository, wanted));
	if (same.length <= 1) return result_ok(same[0]);
	const here = same.filter(({ url }) => hostOf(url) === hostOf(serverUrl));
	if (here.length === 1) return result_ok(here[0]);
	return err({
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
function choosePreset(entries, ref, kind = "diff") {
	const { sound: presets, malformed } = splitEntries(entries);
	const isMeant = (shown) => ref === void 0 ? choose_isOfKind(shown, kind) : shown.ref === ref;
	const { one, none, several } = PRESETS[kind];
	const doubtful = malformed.filter(({ readable }) => isMeant(readable));
	if (doubtful.length > 0) return err(malformedCandidate("presets", doubtful, `Set \`preset\` to the ref of ${ref === void 0 ? "the" : "another"} ${one}`));
	const matching = presets.filter(isMeant);
	const candidates = ref === void 0 ? matching : matching.slice(0, 1);
	const [preset, ...others] = candidates;
	const all = listed(presets.map(({ ref, name }) => `${ref} (${name})`));
	if (preset !== void 0 && others.length === 0) return kind === "full" && looksLikeDiff(preset) ? err(diffPresetForAll(preset, all)) : result_ok(preset);
	return err({
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
function chooseBudget(wanted, preset) {
	const { minCredits } = preset;
	if (wanted === void 0) return result_ok(minCredits === 0 ? void 0 : minCredits);
	if (wanted >= minCredits) return result_ok(wanted);
	return err({
		reason: "configuration",
		cause: `The budget of ${wanted} credits is below the minimum of preset \`${foreignLine(preset.ref)}\` (${minCredits} credits).`,
		nextStep: `Set \`credit-budget\` to ${minCredits} or more, or remove it to use the minimum. Then push.`
	});
}
function combineFaults(faults) {
	const [first] = faults;
	const wrongSetup = faults.filter(({ reason }) => reason === "configuration");
	const counted = wrongSetup.length > 0 ? wrongSetup : faults.filter(({ reason }) => reason === first.reason);
	const [one = first, ...others] = new Map(counted.map((fault) => [fault.cause, fault])).values();
	if (others.length === 0) return one;
	return {
		...one,
		cause: `Scangate found ${others.length + 1} problems.`,
		problems: [one, ...others].map(sentencesOf),
		nextStep: "Fix all of them. Then push if the workflow changed, else re-run this job."
	};
}
function chooseProject(given, token) {
	const shown = token?.projectId;
	if (given === void 0) return shown === void 0 ? err(NOT_SHOWN) : result_ok(shown);
	if (!isUsableId(given)) return err(NOT_AN_ID);
	return shown === void 0 || shown === given ? result_ok(given) : err(otherProject(shown, given));
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
async function findProject(askToken, given) {
	if (given !== void 0) return chooseProject(given, void 0);
	const token = await askToken();
	return token.ok ? chooseProject(void 0, token.value) : err(explainApiError(token.error));
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
function preflight_usableToken(token) {
	if (token.ok) return result_ok({
		information: token.value,
		warnings: []
	});
	const { error } = token;
	const unauthorized = "status" in error && error.status === 401;
	const failure = explainApiError(error);
	if (unauthorized || error.kind === "stopped") return err(failure);
	return result_ok({
		information: void 0,
		warnings: [`Could not check the token's project, scopes and expiry. ${failure.cause}`]
	});
}
function readFaults(reads, scopesMissing) {
	const errors = reads.flatMap((read) => read.ok ? [] : [read.error]);
	return [...new Map(errors.toReversed().map((error) => [sameness(error), error])).values()].filter((error) => !(scopesMissing && error.kind === "refused" && error.code === "forbidden")).map((error) => explainApiError(error));
}
function sameness(error) {
	switch (error.kind) {
		case "refused": return `refused ${error.code}`;
		case "invalid": return `invalid ${error.problem} ${error.status}`;
		case "unreachable": return `unreachable ${error.cause}`;
		case "stopped": return "stopped";
	}
}
async function preflight({ api, clock, signal }, askToken, { inputs, parameters, target, serverUrl }) {
	const { setup, publish, connection } = inputs;
	const unreadable = parametersFault(parameters);
	if (unreadable !== void 0) return err(unreadable);
	const repositoryId = sentValue(parameters, "repositoryId", setup.repositoryId);
	const presetRef = sentValue(parameters, "presetRef", setup.preset);
	const creditBudget = sentValue(parameters, "creditBudget", setup.creditBudget);
	const found = await findProject(askToken, connection.projectId);
	if (!found.ok) return found;
	const projectId = found.value;
	const [answer, lists] = await Promise.all([askToken(), readLists(api, projectId, signal)]);
	const { repositories, presets, scans } = lists;
	const token = preflight_usableToken(answer);
	if (!token.ok) return token;
	const { information, warnings } = token.value;
	const project = chooseProject(projectId, information);
	if (!project.ok) return project;
	const scopes = information === void 0 ? [] : scopeFaults(information, publish.when !== "never");
	const repository = repositories.ok ? chooseRepository(repositories.value, {
		...target.repository,
		serverUrl,
		repositoryId
	}) : void 0;
	const chosen = presets.ok ? choosePreset(presets.value, presetRef, scanKindOf(target)) : void 0;
	const budget = chosen?.ok ? chooseBudget(creditBudget, chosen.value) : void 0;
	const [fault, ...others] = [
		...scopes,
		...readFaults([repositories, presets], scopes.length > 0),
		...preflight_faultsOf(repository),
		...preflight_faultsOf(chosen),
		...preflight_faultsOf(budget)
	];
	if (fault !== void 0) return err(combineFaults([fault, ...others]));
	if (!repository?.ok || !chosen?.ok || !budget?.ok) throw new Error("a problem of the preflight was not reported");
	return result_ok({
		projectId,
		repository: repository.value,
		preset: chosen.value,
		creditBudget: budget.value,
		token: information,
		scans,
		warnings: [...warnings, ...information === void 0 ? [] : expiryNotices(information, clock.date())]
	});
}
function preflight_faultsOf(result) {
	return result === void 0 || result.ok ? [] : [result.error];
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
async function findGuidance(gate, target, path, base, prepared) {
	const { api, signal } = gate;
	if (path === void 0) return result_ok(void 0);
	const storing = prepared.then((ready) => ready.ok ? readStoredGuidance(api, ready.value.projectId, ready.value.repository.id, signal) : result_ok(null));
	const [file, stored] = await Promise.all([readFile(gate, path, target, base), storing]);
	const [ready, measured] = await Promise.all([prepared, base]);
	if (!ready.ok || !measured.ok) return result_ok(void 0);
	if (!file.ok) return file;
	if (!stored.ok) return stored;
	const composed = withStoredGuidance(file.value, stored.value);
	if (!composed.ok) return composed;
	const { text: _, ...source } = file.value;
	return result_ok({
		text: composed.value,
		source
	});
}
async function readFile(gate, path, target, base) {
	const measured = target.base.kind === "branch" ? void 0 : await base;
	const stack = target.pullRequest?.stack;
	const commit = stack === void 0 ? result_ok(guidanceCommit(target, measured?.ok ? measured.value : void 0)) : await readTrunkCommit(gate, path, stack.trunk);
	return commit.ok ? readGuidanceFile(gate, path, commit.value) : commit;
}
async function admit(gate, event) {
	const { seal, parameters, environment, token } = gate;
	const { baseSha, guidanceFile, scanForks } = gate.inputs.setup;
	const refusal = refuseTarget(event, {
		hasToken: !seal.isEmpty,
		scanForks
	});
	if (refusal !== void 0) return err(refusal);
	const unpaid = scanForks === "trusted" ? await refusePayment(gate, event, environment.triggeringActor) : void 0;
	const given = planBase(event.headSha, baseSha, parameters);
	if (!given.ok) return err(unpaid ?? given.error);
	const twoGuidances = refuseTwoGuidances(guidanceFile, parameters);
	if (twoGuidances !== void 0) return err(unpaid ?? twoGuidances);
	if (unpaid === void 0 && parametersFault(parameters) === void 0) token();
	return result_ok({
		givenBase: given.value,
		unpaid
	});
}
async function facts_readFacts(gate, target, { givenBase }, earlier) {
	const { connection, setup } = gate.inputs;
	const isComputed = givenBase === void 0 && scanKindOf(target) === "diff";
	const measuring = findDiffBase({
		...gate,
		githubToken: connection.githubToken
	}, target, givenBase);
	const prepared = preflight(gate, gate.token, {
		...gate,
		target,
		serverUrl: gate.environment.serverUrl
	});
	const [base, ready, marks, trees, guidance, byPaths] = await Promise.all([
		measuring,
		prepared,
		earlier ?? readEarlierMarks(gate, target),
		isComputed ? findTrees(gate, target, measuring) : void 0,
		findGuidance(gate, target, setup.guidanceFile, measuring, prepared),
		measuring.then((found) => found.ok ? decideByPaths(gate, target, found.value, setup) : void 0)
	]);
	return {
		base,
		ready,
		earlier: marks,
		trees,
		guidance,
		byPaths
	};
}
function readEarlierMarks(gate, target) {
	const { runAttempt } = gate.environment;
	return findEarlierMarks({
		...gate,
		runAttempt,
		state: gate.watch?.first
	}, target);
}
const TREE_MS = 1e4;
async function findTrees(gate, { headSha }, base) {
	const { first } = gate.watch ?? {};
	const [head, baseTree] = await Promise.all([(first?.headSha === headSha ? first.headTree : void 0) ?? findTree(gate, headSha), findBaseTree(gate, base)]);
	return head && baseTree ? {
		base: baseTree,
		head
	} : void 0;
}
async function findBaseTree(gate, base) {
	const found = await base;
	if (!found.ok) return void 0;
	const { baseSha, baseTree } = found.value;
	return baseTree ?? (baseSha && findTree(gate, baseSha));
}
async function findTree({ github, clock, signal }, commitSha) {
	const tree = await withDeadline({
		clock,
		signal,
		ms: TREE_MS
	}, (attempt) => readCommitTree(github.until(attempt.signal), commitSha));
	return tree.ok ? tree.value : void 0;
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
	if (read.ok && isTerminal(read.value.status)) {
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
		cause: explainApiError(answer.error).cause,
		unknown
	};
}
async function abandonScan(step, projectId, scanId) {
	const cancellation = await cancelScan(step, projectId, scanId);
	step.warn(describeCancellation(scanId, cancellation));
	if (cancellation.kind === "failed") return { mayStillBeRunning: true };
	return { scanStatus: cancellation.kind === "cancelled" ? "CANCELLED" : cancellation.status };
}
function describeCancellation(scanId, cancellation) {
	switch (cancellation.kind) {
		case "cancelled": return `Cancelled scan \`${scanId}\`. The service releases its reserved credits, but charges completed work.`;
		case "already-terminal": return `Scan \`${scanId}\` had already ended${cancellation.status === void 0 ? "" : ` as ${cancellation.status}`}.`;
		case "failed": return `Could not cancel scan \`${scanId}\`. It may still be running and using credits: cancel it in the service. ${cancellation.cause}`;
	}
}
function scansBefore({ scans, complete, readAt }, known) {
	const listed = idsOf(scans);
	return {
		ids: [...new Set([...listed, ...known])],
		complete: complete && listed.length === scans.length,
		...readAt && { readAt: readAt.getTime() }
	};
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
async function untilAnswered({ clock, signal, random }, ask, unknownMs) {
	const patience = createPatience(clock);
	const start = clock.now();
	for (let last;;) {
		const cause = stopCause(signal);
		if (cause !== void 0) return err({
			error: last,
			stopped: cause
		});
		const answer = await ask();
		if (answer.ok) return answer;
		const { error } = answer;
		if (error.kind === "stopped") return err({
			error: last,
			stopped: error.by
		});
		last = error;
		const wait = waitPatiently(patience, error, random);
		const isGone = isNotFound(error) && unknownMs !== void 0 && clock.now() - start >= unknownMs;
		if (wait === void 0 || isGone) return err({
			error,
			stopped: void 0
		});
		await clock.sleep(wait, signal);
	}
}
async function awaitScan(step, { projectId, scanId }, unknownMs) {
	const { api, signal } = step;
	const polled = await untilAnswered(step, () => api.scan(projectId, scanId, { signal }), unknownMs);
	return polled.ok ? polled : err(leftAfter(polled.error, void 0));
}
async function followScan(step, request, shown) {
	const { api, clock, signal, random, log } = step;
	const { projectId, scanId, onEnd } = request;
	const start = clock.now();
	let printed = "";
	const end = (followed) => {
		onEnd?.(clock.now() - start);
		return followed;
	};
	for (let polled = shown;;) {
		const { scan, retryAfterMs } = polled;
		const progress = progressOf(scan);
		if (progress !== printed) log.info(`Scan ${progress}, after ${elapsedOf(clock.now() - start)}.`);
		printed = progress;
		if (isTerminal(scan.status)) return end(await judgeEnded(scan, scan.status, request));
		const wrong = wrongScan(scan, request.expected);
		if (wrong !== void 0) return end(left("wrong-scan", wrong, scan));
		await clock.sleep(pollInterval(retryAfterMs, random), signal);
		const answer = await untilAnswered(step, () => api.scan(projectId, scanId, { signal }));
		if (!answer.ok) return end(leftAfter(answer.error, scan));
		polled = answer.value;
	}
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
	const unread = error && explainApiError(error, { scanShown });
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
async function judgeEnded(scan, status, { expected, compareFiles }) {
	const wrong = wrongScan(scan, expected);
	if (wrong === void 0) return conclude(scan, status, expected);
	const same = status === "COMPLETED" ? await compareFiles?.(scan, expected) : void 0;
	if (same?.ok && same.value) return completed(scan, expected);
	return {
		kind: "ended",
		failure: same === void 0 || same.ok ? wrong : same.error,
		scan
	};
}
function completed(scan, { baseSha, headSha }) {
	return {
		kind: "completed",
		scan,
		commitConfirmed: shownInFull(scan.headSha, headSha) !== void 0,
		baseConfirmed: baseSha === void 0 ? void 0 : shownInFull(scan.baseSha ?? void 0, baseSha) !== void 0
	};
}
const WITHOUT_RESULT = {
	FAILED: {
		reason: "scan-failed",
		nextStep: "See the scan in the scanning service for the cause, then re-run this job."
	},
	CANCELLED: {
		reason: "scan-cancelled",
		nextStep: "Re-run this job if you still need the result."
	}
};
function conclude(scan, status, expected) {
	if (status === "COMPLETED") return completed(scan, expected);
	const cause = `The scanning service reported the status ${status}.`;
	return {
		kind: "ended",
		scan,
		failure: {
			...WITHOUT_RESULT[status],
			cause
		}
	};
}
function wrongScan(scan, expected) {
	if (!showsOtherChange(scan, expected)) return void 0;
	const shown = [scan.baseSha, scan.headSha].map((id) => id?.slice(0, 12) ?? "(not shown)").join("..");
	return {
		reason: "configuration",
		cause: `The service is scanning a different commit range (expected \`${[expected.baseSha, expected.headSha].map((id) => id?.slice(0, 12) ?? "(no base)").join("..")}\`, got \`${shown}\`).`,
		nextStep: "The service may not read the fields `commit` and `baseCommit`. Set the fields that it reads in `launch-parameters` and push."
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
		if (!list.ok) return err(explainUnanswered(list.error, "it could confirm the scan", true));
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
	const ofComments = comments.flatMap(({ body }) => readMark(splitState(readState(body)).mark, access.seal) ?? []);
	return [...ofCheckRuns.value, ...ofComments].map(({ scanId }) => scanId);
}
async function commentsOf({ github, signal }, pullRequest) {
	if (pullRequest === void 0) return [];
	const state = await readPullRequestState(github.until(signal), pullRequest);
	const read = state.ok ? await readComments(github.until(signal), pullRequest, state.value) : state;
	return read.ok ? read.value : void 0;
}
function describeLost(error) {
	return explainApiError({
		...error,
		operation: "confirm the launch of the scan"
	}).cause;
}
function describeUnknown(scanId) {
	return `Could not confirm the launch of the scan: the service answered with scan ${asCode([scanId])}, which it does not know.`;
}
function notOfLaunch(scanId, pending) {
	return {
		reason: "launch-unknown",
		cause: `The service answered the launch with scan ${asCode([scanId])}, and nothing proves that this launch created it. Scangate neither uses nor cancels it.`,
		nextStep: `${recoveryHint(pending)} Then re-run this job.`
	};
}
function launchUnknown(cause, pending, lost, bySignal) {
	const failure = {
		reason: bySignal ? "scan-cancelled" : "launch-unknown",
		...bySignal && { bySignal }
	};
	if (lost.kind === "found") {
		const { scanId, cancellation } = lost;
		const isRunning = cancellation.kind === "failed";
		return {
			...failure,
			cause: `${cause} ${describeCancellation(scanId, cancellation)}`,
			nextStep: `${isRunning ? `Cancel scan ${asCode([scanId])} in the scanning service. Then re-run` : "Re-run"} this job.`
		};
	}
	const later = lost.why === "not-sought" ? "" : " The post step will look for it again.";
	return {
		...failure,
		cause: `${cause} ${describeCandidates(lost)} A scan may be running, so Scangate did not launch another one.${later}`,
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
function gate_notScanned(failure) {
	return { outcome: {
		kind: "not-scanned",
		failure
	} };
}
function createJob(gate, change) {
	const { earlier, preflight, knownSince } = change;
	const known = {
		list: preflight.scans,
		tried: new Set(),
		marked: new Set(),
		lookedAt: knownSince,
		isOutdated: gate.watch !== void 0 && gate.watch.first === void 0,
		hasRelaunched: false,
		credits: 0
	};
	const job = {
		...gate,
		change,
		known
	};
	remember(job, earlier.marks);
	return job;
}
function remember({ known, change }, marks) {
	const { pullRequest } = change.target;
	for (const { scanId, pullRequest: number, credits = 0 } of marks) {
		known.marked.add(scanId);
		if (number === pullRequest?.number) known.credits = Math.max(known.credits, credits);
	}
}
function isMarked({ earlier, target, key }) {
	return earlier.marks.some((mark) => mark.key === key && mark.headSha === target.headSha);
}
async function readMarks(job, signal) {
	const marks = await marksOfCheckRuns({
		...job,
		signal
	}, job.change.target.headSha);
	if (marks.ok) remember(job, marks.value);
	return marks;
}
function untried({ known, change }, marks) {
	const { headSha } = change.target;
	return inLaunchOrder(marks).filter((mark) => mark.headSha === headSha && mark.key === change.key && !known.tried.has(mark.scanId));
}
async function readUntried(job) {
	const { clock, signal, inputs } = job;
	if (!inputs.reuseScan) return [];
	for (let read = 1; read <= MOST_MARK_READS && !signal.aborted; read += 1) {
		if (read > 1) await clock.sleep(MARKS_SHOWN_MS, signal);
		const marks = await readMarks(job, signal);
		if (marks.ok) return untried(job, marks.value);
	}
	return [];
}
function searchLost(job, pending, named) {
	if (pending.subject?.baseSha !== void 0) job.log.info("Could not confirm the launch of the scan. Looking for it in the service's scan list.");
	return findLost({
		...job,
		signal: job.deadlines.startSearch()
	}, pending, named);
}
function planLaunch({ target, diffBase, preflight }, parameters, fromFile) {
	const { baseSha, headSha } = diffBase;
	const chosen = {
		repositoryId: preflight.repository.id,
		presetRef: preflight.preset.ref,
		creditBudget: preflight.creditBudget,
		baseSha,
		headSha
	};
	const { given, sets } = parameters;
	const creditBudget = sentValue(parameters, "creditBudget", preflight.creditBudget);
	const { areas = [], guidance = fromFile?.text } = sets;
	return {
		body: launchBody(chosen, given, fromFile?.text),
		creditBudget,
		keyFields: {
			...chosen,
			pullRequest: target.pullRequest?.number,
			launchParameters: given,
			guidance: fromFile?.source.hash
		},
		subject: {
			...chosen,
			creditBudget,
			areas,
			guidance: guidance === void 0 ? void 0 : hashOfText(guidance)
		}
	};
}
async function decide(gate) {
	const { event, reading, workspace, inputs } = gate;
	const withheld = reading.withoutToken && event.ok && event.value.secretsWithheld;
	const unpublishable = event.ok ? publishFault(inputs.publish, event.value) : void 0;
	const faults = [
		...withheld ? [] : reading.missing,
		...reading.faults,
		...unpublishable === void 0 ? [] : [unpublishable]
	];
	const known = event.ok ? { target: event.value } : {};
	if (faults.length > 0) return decide_end(known, inputErrors(faults));
	const leftOver = await removeEarlierSarif(workspace, inputs.delivery.sarifFile);
	if (leftOver !== void 0) return decide_end(known, leftOver);
	if (!event.ok) return decide_end({}, event.error);
	return decideEvent(gate, event.value);
}
async function decideEvent(gate, event) {
	const { clock, log } = gate;
	const reading = gate.firstRead();
	const admission = admit(gate, event);
	admission.catch(() => {});
	const current = await reading;
	if (!current.ok) return decide_end({ target: event }, current.error);
	const knownSince = clock.now();
	const target = current.value;
	log.info(describeTarget(target));
	const known = { target };
	const closed = refuseClosed(target);
	if (closed !== void 0) return decide_end(known, closed);
	const admitted = await admission;
	if (!admitted.ok) return decide_end(known, admitted.error);
	const { unpaid } = admitted.value;
	const earlier = unpaid && await readEarlierMarks(gate, target);
	if (unpaid !== void 0 && earlier?.marks.length === 0) return decide_end(known, earlier.unlisted === void 0 ? unpaid : marksUnlisted(earlier.unlisted));
	const facts = await facts_readFacts(gate, target, admitted.value, earlier);
	return decideChange(gate, target, {
		knownSince,
		unpaid
	}, facts);
}
function decideChange({ environment, inputs, seal, parameters, log, warn, watch }, target, { knownSince, unpaid }, { base, ready, earlier, trees, guidance, byPaths }) {
	const { pullRequest: shown } = earlier;
	if (watch !== void 0 && shown !== void 0) {
		saw(watch, shown);
		const changed = findChange(watch);
		if (changed !== void 0) return decide_end({ target: watch.target }, changed);
	}
	const known = {
		target,
		...base.ok ? { diffBase: base.value } : {},
		...ready.ok ? { preflight: ready.value } : {}
	};
	if (base.ok) {
		const diffBase = base.value;
		log.info(describeBase(diffBase));
		const unscanned = outcomeWithoutScan(target, environment.runAttempt, diffBase, byPaths);
		if (unscanned !== void 0) {
			const superseding = ready.ok ? {
				target,
				diffBase,
				preflight: ready.value,
				marks: earlier.marks
			} : void 0;
			return {
				kind: "end",
				result: {
					...known,
					outcome: unscanned
				},
				superseding
			};
		}
		if (byPaths?.kind === "scanned") {
			if (byPaths.why !== void 0) log.info(byPaths.why);
			warn(...byPaths.warnings);
		}
	}
	if (!ready.ok) {
		if (!base.ok) warn(base.error.cause);
		return decide_end(known, ready.error);
	}
	if (!base.ok) return decide_end(known, base.error);
	warn(...ready.value.warnings);
	if (!guidance.ok) return decide_end(known, guidance.error);
	if (guidance.value !== void 0) log.info(log_lines_describeGuidance(guidance.value.source));
	const launchable = {
		target,
		diffBase: base.value,
		preflight: ready.value
	};
	const plan = planLaunch(launchable, parameters, guidance.value);
	const keys = {
		key: exactKey(plan.keyFields),
		contentKey: trees && contentKey(plan.keyFields, trees)
	};
	const identity = createStepIdentity(environment, {
		seal,
		checkName: inputs.delivery.checkName
	}, target.headSha, {
		...plan.keyFields,
		...keys,
		...inputs.reuseScan ? {} : { reusesNone: true }
	});
	return {
		kind: "scan",
		change: {
			...launchable,
			plan,
			...keys,
			trees,
			identity,
			guidance: guidance.value?.source,
			earlier,
			knownSince,
			unpaid
		}
	};
}
function decide_end(known, failure) {
	return {
		kind: "end",
		result: {
			...known,
			...gate_notScanned(failure)
		}
	};
}
function outcomeWithoutScan(target, runAttempt, diffBase, byPaths) {
	if (isUnchanged(diffBase)) {
		const merged = mergedSince(target, runAttempt);
		return merged === void 0 ? { kind: "unchanged" } : gate_notScanned(merged).outcome;
	}
	return byPaths?.kind === "unscanned" ? gate_notScanned(byPaths.failure).outcome : void 0;
}
function isUnchanged({ baseSha, headSha, how }) {
	return how !== "input" && baseSha === headSha;
}
function inputErrors(errors) {
	const [first = ""] = errors;
	const several = errors.length > 1;
	return {
		reason: "configuration",
		cause: several ? `Scangate found ${errors.length} input errors.` : first,
		...several ? { problems: errors } : {},
		nextStep: `Fix ${several ? "them" : "it"} under \`with:\` in the workflow and push.`
	};
}
const LONGEST_SENTENCE = 500;
const LONGEST_LEAD = 1e4;
const LONGEST_PROBLEM = 1500;
const sections_LONGEST_NAME = 100;
const NOTICES_LIMIT = 6e3;
function headingSection(report) {
	return md`## ${sections_ICONS[report.verdict.outcome]} ${headline(report).text}`;
}
function leadSection(report, render = linkingRun(report)) {
	const { verdict } = report;
	const { cause, problems, nextStep } = headline(report);
	const next = truncateText(nextStep, LONGEST_LEAD, render);
	const toDo = verdict.outcome === "blocked" || verdict.outcome === "not-scanned";
	const label = verdict.allowed ? md`${TO_GET_A_SCAN}` : md`Next step`;
	return join([
		cause === void 0 ? NOTHING : md`**Why:** ${truncateText(cause, LONGEST_LEAD, render)} ${unchecked(report)}`,
		problemList(problems, render),
		verdict.allowed ? allowedBy(verdict.failure?.reason) : NOTHING,
		toDo && nextStep !== "" ? md`**${label}:** ${next}` : next
	], BLANK_LINE);
}
function problemList(problems, render) {
	const { kept, leftOut } = fitItems(problems.map((problem) => md`- ${render(cutCharacters(problem, LONGEST_PROBLEM))}`), {
		limit: LONGEST_LEAD,
		sizeOf: byteLength
	});
	const more = leftOut === 0 ? [] : [md`- ${countOf(leftOut, "more problem")} in the log`];
	return join([...kept, ...more], md`\n`);
}
function severityTable(report) {
	const { findings } = report.verdict;
	if (!isScanned(report.verdict) || findings.total === 0) return NOTHING;
	const columns = Object.entries(findings.counts).map(([level, count]) => ({
		name: md`${level.charAt(0) + level.slice(1).toLowerCase()}`,
		rule: md`:-:`,
		count: count > 0 ? md`**${count}**` : md`${count}`
	}));
	const line = (cells) => md`| ${join(cells, md` | `)} |`;
	return md`${line(columns.map(({ name }) => name))}\n${line(columns.map(({ rule }) => rule))}\n${line(columns.map(({ count }) => count))}`;
}
function noticesSection(report, render = linkingRun(report)) {
	const lines = report.warnings.map((notice) => md`- ${render(cutCharacters(notice, LONGEST_SENTENCE))}`);
	if (lines.length === 0) return NOTHING;
	const { kept, leftOut } = fitItems(lines, {
		limit: NOTICES_LIMIT,
		sizeOf: byteLength
	});
	const more = leftOut === 0 ? [] : [md`- ${countOf(leftOut, "more note")} in the log.`];
	return md`**Notes**\n\n${join([...kept, ...more], md`\n`)}`;
}
function runSection(report) {
	const { diffBase, reused, runUrl, runAttempt } = report;
	const attempt = runAttempt > 1 ? `, attempt ${runAttempt}` : "";
	const url = runAttempt > 1 ? `${runUrl}/attempts/${runAttempt}` : runUrl;
	return md`<sub>${join([
		...scanFacts(report),
		diffBase === void 0 || diffBase.how === "none" ? NOTHING : md`base: ${BASE_SOURCES[diffBase.how]}`,
		sections_guidance(report),
		reused ? reusedScan(report) : creditsSpent(report),
		creditsSoFar(report),
		markdown_link(`workflow run${attempt}`, url, allowedLinks(report))
	], SEPARATOR)}</sub>`;
}
function noteSection({ note = "" }) {
	return workflowMarkdown(note);
}
function scanSection(report) {
	const url = checksUrl(report);
	const checks = url === void 0 ? NOTHING : markdown_link("checks", url, allowedLinks(report));
	return md`<sub>${join([...scanFacts(report), checks], SEPARATOR)}</sub>`;
}
function scanFacts(report) {
	const { scanId, preflight, checkName, commitConfirmed, baseConfirmed } = report;
	const { failure } = report.verdict;
	return [
		md`${cutCharacters(checkName, sections_LONGEST_NAME)}`,
		failure === void 0 ? NOTHING : md`reason ${reasonLink(failure.reason)}`,
		scanId === void 0 ? NOTHING : md`scan ${inlineCode(cutCharacters(scanId, sections_LONGEST_NAME))}`,
		commits(report),
		commitConfirmed === false ? md`commit not confirmed by the service` : NOTHING,
		baseConfirmed === false ? md`base not confirmed by the service` : NOTHING,
		preflight ? md`preset ${inlineCode(cutCharacters(preflight.preset.ref, sections_LONGEST_NAME))}` : NOTHING,
		sections_published(report)
	];
}
function reasonLink(reason) {
	return markdown_link(inlineCode(reason), docsPage("outcomes", "reasons"), [`${TOOL.informationUri}/`]);
}
function commits(report) {
	const { diffBase, target } = report;
	if (diffBase?.baseSha !== void 0) return md`${commit(diffBase.baseSha)} \u2192 ${commit(diffBase.headSha)}`;
	if (diffBase !== void 0) return md`all files of ${commit(diffBase.headSha)}`;
	return target === void 0 ? NOTHING : md`head ${commit(target.headSha)}`;
}
function sections_published(report) {
	const { publication } = report;
	if (publication === void 0) return NOTHING;
	const page = markdown_link("published page", publication.url, allowedLinks(report));
	return publication.gated ? md`${page} (password: ask a maintainer where the workflow sends its output ${inlineCode("public-password")})` : page;
}
function sections_guidance({ guidance: source }) {
	if (source === void 0) return NOTHING;
	const path = inlineCode(cutCharacters(source.path, sections_LONGEST_NAME));
	const hash = inlineCode(source.hash.slice(0, SHOWN_HASH_DIGITS));
	return md`guidance ${path} at ${commit(source.commitSha)}, ${countOf(source.characters, "character")}, SHA-256 ${hash}`;
}
function reusedScan({ sameFilesAs }) {
	return sameFilesAs === void 0 ? md`scan of another run, no credits used` : md`same files as in ${commit(sameFilesAs)}, already scanned, no credits used`;
}
function creditsSpent({ creditsReserved, scanStatus }) {
	if (creditsReserved === void 0) return NOTHING;
	const credits = countOf(creditsReserved, "credit");
	switch (scanStatus) {
		case "CANCELLED": return md`${countOf(creditsReserved, "reserved credit")} released; completed work is still charged`;
		case "FAILED": return md`${credits} reserved; see the service for the amount charged`;
		default: return md`${credits} reserved`;
	}
}
function creditsSoFar({ creditsPullRequest = 0 }) {
	return creditsPullRequest === 0 ? NOTHING : md`${countOf(creditsPullRequest, "credit")} so far for this pull request, as far as Scangate knows`;
}
function commit(id) {
	return inlineCode(id.slice(0, 7));
}
function allowedBy(reason) {
	return reason === "paths" ? md`Passing because the workflow sets ${inlineCode("paths-unscanned")}.` : md`Passing because ${inlineCode("allow-unscanned")} includes this reason.`;
}
function unchecked({ target, verdict }) {
	const said = md`This ${target !== void 0 && scanKindOf(target) === "full" ? "commit" : "change"} has not been checked`;
	if (verdict.exitCode === 0) return md`${said}.`;
	return target?.pullRequest === void 0 ? md`${said}, so this job fails.` : md`${said}, so this job fails. If the job is required, this blocks the merge.`;
}
const BASE_SOURCES = {
	input: "set in the workflow",
	compare: "merge base from GitHub",
	git: "merge base from git"
};
const sections_ICONS = {
	passed: md`\u2705`,
	blocked: md`\ud83d\uded1`,
	unchanged: md`\u2705`,
	"not-scanned": md`\u26a0\ufe0f`
};
const MOST_NAMED = 10;
function sinceSection(since) {
	if (since === void 0) return NOTHING;
	const { comparedWith, fresh, stillOpen, triaged, below, exempt, gone } = since;
	const pieces = [
		fresh === void 0 ? md`new findings could not be determined` : fresh.length === 0 ? NOTHING : md`**${fresh.length} new**`,
		counted(stillOpen.length, md`still open`),
		named(gone, md`no longer reported`),
		named(triaged.map(({ severity, label }) => ({
			level: severity.level,
			label
		})), md`closed by triage`),
		counted(below.length, md`now below the threshold`),
		counted(exempt.length, md`now exempt by path`)
	];
	const said = join(pieces, SEPARATOR);
	if (pieces.every((part) => part === NOTHING)) return NOTHING;
	return md`**Since the last push** (compared with ${inlineCode(comparedWith.slice(0, 7))}): ${said}`;
}
function counted(count, text) {
	return count === 0 ? NOTHING : md`${count} ${text}`;
}
function named(known, text) {
	if (known.length === 0) return NOTHING;
	const names = known.slice(0, MOST_NAMED).map(({ level, label }) => join([md`${severityLabel({
		level,
		word: ""
	})}`, inlineCode(label)], md` `));
	const more = known.length > MOST_NAMED ? [md`${known.length - MOST_NAMED} more`] : [];
	return md`${known.length} ${text} (${join([...names, ...more], md`, `)})`;
}
function coversNothing({ verdict }) {
	const { reported, below, exempt, triaged } = verdict.findings;
	return {
		leftOut: {
			reported: reported.length,
			below: below.length,
			exempt: exempt.length,
			triaged: triaged.length
		},
		withoutDetails: 0
	};
}
function placeOfMissing(missing, leftOut) {
	if (leftOut === 0) return "in the job summary";
	if (leftOut >= missing) return "in the scanning service";
	return `in the scanning service, ${missing - leftOut} of them also in the job summary`;
}
function placeOfUnlisted({ verdict }, { leftOut }) {
	const { below, exempt, triaged } = verdict.findings;
	return placeOfMissing(below.length + exempt.length + triaged.length, leftOut.below + leftOut.exempt + leftOut.triaged);
}
function listNotes(list, coverage, show = (place) => md`${place}`) {
	const { leftOut, withoutDetails } = list;
	return join([
		withoutDetails === 0 ? NOTHING : md`${countOf(withoutDetails, "finding")} above without details, which are ${show(placeOfDetails(coverage))}.`,
		unreadNote(list),
		leftOut === 0 ? NOTHING : md`**${countOf(leftOut, "more finding")} did not fit here.** See the full list ${show(placeOfMissing(leftOut, coverage.leftOut.reported))}.`
	], md` `);
}
function placeOfDetails({ leftOut, withoutDetails }) {
	return leftOut.reported === 0 && withoutDetails === 0 ? "in the job summary" : "in the scanning service";
}
function linkToChecks(place, report) {
	const url = checksUrl(report);
	if (url === void 0 || !place.includes("job summary")) return md`${place}`;
	return markdown_link(place, url, allowedLinks(report));
}
function linkToRun(place, report) {
	return place.includes("job summary") ? markdown_link(place, report.runUrl, allowedLinks(report)) : md`${place}`;
}
const LONGEST_TEXT = 65536;
function fitSummary(report) {
	let limit = 87e4;
	const listGroup = (group, heading) => {
		if (report.verdict.findings[group].length === 0) return {
			markdown: NOTHING,
			leftOut: 0,
			withoutDetails: 0
		};
		const list = fitFindings(report, group, {
			limit,
			sizeOf: byteLength
		}, LONGEST_TEXT);
		limit -= list.size;
		const { leftOut, withoutDetails } = list;
		return {
			leftOut,
			withoutDetails,
			markdown: join([
				heading,
				list.markdown,
				summary_cutNote(list),
				unreadNote(list)
			], BLANK_LINE)
		};
	};
	const groups = {
		reported: listGroup("reported", md`### Reported`),
		below: listGroup("below", md`### Below ${report.policy.severityThreshold}`),
		exempt: listGroup("exempt", md`### Exempt by path`),
		triaged: listGroup("triaged", md`### Closed by triage in the scanning service`)
	};
	return {
		markdown: join(Object.values(groups).map(({ markdown }) => markdown), BLANK_LINE),
		leftOut: {
			reported: groups.reported.leftOut,
			below: groups.below.leftOut,
			exempt: groups.exempt.leftOut,
			triaged: groups.triaged.leftOut
		},
		withoutDetails: groups.reported.withoutDetails
	};
}
function renderSummary(report, lists = fitSummary(report)) {
	const top = [
		headingSection(report),
		leadSection(report),
		readOnSection(report),
		severityTable(report)
	];
	const bottom = [
		noticesSection(report),
		runSection(report),
		noteSection(report)
	];
	return `${toText(join([
		...top,
		lists.markdown,
		...bottom
	], BLANK_LINE))}\n`;
}
function renderStop({ cause, nextStep }) {
	return `${toText(md`## \u26a0\ufe0f Not scanned\n\n**Why:** ${renderCodeSpans(cause)}\n\n**Next step:** ${renderCodeSpans(nextStep)}`)}\n`;
}
function summary_cutNote({ leftOut, withoutDetails }) {
	const pieces = [withoutDetails === 0 ? NOTHING : md`${countOf(withoutDetails, "finding")} above without details.`, leftOut === 0 ? NOTHING : md`**${countOf(leftOut, "more finding")} did not fit here.**`];
	if (pieces.every((part) => part === NOTHING)) return NOTHING;
	return md`${join(pieces, md` `)} See the scanning service for all of them.`;
}
const MOST_ANNOTATIONS = 200;
const NO_ANNOTATIONS = {
	annotations: [],
	leftOut: 0,
	unplaced: {}
};
function toAnnotations(report) {
	if (report.disclosure === "labels") return NO_ANNOTATIONS;
	const placed = [];
	let leftOut = 0;
	const unplaced = {};
	for (const finding of report.verdict.findings.reported) {
		const place = placeOf(finding.location);
		if (place?.lines === void 0) {
			const cause = causeWithoutLines(finding.location);
			unplaced[cause] = (unplaced[cause] ?? 0) + 1;
		} else if (placed.length === MOST_ANNOTATIONS) leftOut += 1;
		else {
			const { start, end } = place.lines;
			placed.push({
				path: place.path,
				startLine: start,
				endLine: end,
				...textsOf(finding, report)
			});
		}
	}
	return {
		annotations: placed,
		leftOut,
		unplaced
	};
}
function textsOf(finding, report) {
	const title = `${finding.label} ${severityLabel(finding.severity)}: ${cutCharacters(finding.title, ANNOTATION_TITLE_CHARACTERS)}`;
	const proof = showsProof(report) ? finding.proofOfConcept : void 0;
	return {
		level: levelOf(finding.severity.level),
		title: cutCharacters(visibleLine(title), ANNOTATION_TITLE_CHARACTERS),
		message: cutBytes(check_output_messageOf(finding), ANNOTATION_TEXT_BYTES),
		rawDetails: proof === void 0 ? void 0 : cutBytes(visibleLines(withinLimit(proof)), ANNOTATION_TEXT_BYTES)
	};
}
function withinLimit(text) {
	return cutCharacters(text, ANNOTATION_TEXT_BYTES);
}
function check_output_messageOf(finding) {
	const { title, description, recommendedFix } = finding;
	const fix = recommendedFix === void 0 ? void 0 : `How to fix: ${recommendedFix}`;
	const text = [
		stillFoundText(finding),
		description,
		fix
	].filter((part) => part !== void 0 && part.trim() !== "").join("\n\n");
	return visibleLines(withinLimit(text === "" ? title : text)) || "The scanning service gives no description of this finding.";
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
const check_output_LONGEST_TEXT = 4e3;
function renderCheckOutput(report, annotated, coverage = fitSummary(report)) {
	const summary = [
		leadSection(report),
		readOnSection(report),
		severityTable(report),
		elsewhereSection(report, coverage),
		annotationsSection(annotated),
		noticesSection(report),
		runSection(report),
		noteSection(report)
	];
	return {
		title: headline(report).text,
		summary: toText(join(summary, BLANK_LINE)),
		text: toText(listSection(report, coverage))
	};
}
function listSection(report, coverage) {
	const list = fitFindings(report, "reported", {
		limit: 65035,
		sizeOf: byteLength
	}, check_output_LONGEST_TEXT);
	return join([list.markdown, listNotes(list, coverage)], BLANK_LINE);
}
function elsewhereSection(report, coverage) {
	const text = unlistedText(report);
	if (text === void 0) return NOTHING;
	return md`${text}: listed ${linkToRun(placeOfUnlisted(report, coverage), report)}.`;
}
function annotationsSection({ leftOut, unplaced }) {
	return join([leftOut === 0 ? NOTHING : md`Not annotated: the ${countOf(leftOut, "least severe finding")}.`, ...Object.entries(unplaced).map(([cause, count]) => md`Not annotated, because ${cause}: ${countOf(count, "finding")}.`)], md` `);
}
function stepCheckRun(identity, { target, scanId, checkRun: started, isMarkWrong = false }, isStarted) {
	const mayCreate = target?.pullRequest?.state !== "closed";
	if (!mayCreate && inProgressOf(started) === void 0) return void 0;
	return {
		identity: scanId === void 0 && started?.ok === true && !isMarkWrong ? {
			...identity,
			externalId: void 0
		} : identity,
		started,
		isStarted,
		mayCreate
	};
}
function inProgressOf(started) {
	if (started?.ok === false) return started.error.ambiguous ? "not known" : void 0;
	return started?.value.id;
}
async function deliverCheckRun({ github, signal }, report, checkRun, annotated, warn, coverage) {
	const { identity, started } = checkRun;
	const refused = started?.ok === false && started.error.kind === "forbidden" ? started : void 0;
	const found = await findStarted({
		github,
		signal
	}, identity, started, checkRun.isStarted);
	const open = found.ok ? found.value : void 0;
	const unsettled = found.ok ? void 0 : inProgressOf(started);
	if (open === void 0 && !checkRun.mayCreate) return {
		url: void 0,
		inProgress: unsettled,
		unshown: annotated.annotations
	};
	const completed = refused ?? await completeCheckRun(github.until(signal), open?.id, identity, {
		conclusion: report.verdict.conclusion,
		output: renderCheckOutput(report, annotated, coverage),
		annotations: annotated.annotations
	}, checkRun.mayCreate);
	if (!completed.ok) {
		warn(explainGitHubError(completed.error));
		return {
			url: open?.url,
			inProgress: open?.id ?? unsettled,
			unshown: annotated.annotations
		};
	}
	const { url, refused: unshown, fault, notUpdated } = completed.value;
	if (fault !== void 0) warn(`${unshown.length === 1 ? "1 annotation is" : `${unshown.length} annotations are`} missing on the check run. ${explainGitHubError(fault)}`);
	if (notUpdated !== void 0) warn(`${causeOf(notUpdated)} ${SECOND_CHECK_RUN}`);
	return {
		url,
		inProgress: notUpdated === void 0 ? unsettled : open?.id,
		unshown
	};
}
const SECOND_CHECK_RUN = "The result is in a second check run. The post step tries to complete the first one. If that one stays in progress, re-run this job.";
async function findStarted({ github, signal }, { headSha, name }, started, isStarted) {
	if (started?.ok) return started;
	if (inProgressOf(started) === void 0) return result_ok(void 0);
	const listed = await listCheckRuns(github.until(signal), headSha, name);
	if (!listed.ok) return listed;
	return result_ok(listed.value.find((run) => run.status !== "completed" && isStarted(run.externalId)));
}
const comment_permission = "pull-requests: write";
const Written = pipe(object({
	id: number(),
	html_url: optional(WebAddress)
}), transform(({ id, html_url: url }) => ({
	id,
	url
})));
async function syncComment(github, request, contentFor, readPullRequest = () => readPullRequestState(github, request.pullRequest)) {
	const { pullRequest, checkName, headSha, mayCreate } = request;
	const state = await readPullRequest(github.signal);
	if (!state.ok) return err(asRefusal(state.error));
	if (state.value.headSha !== headSha) return result_ok({
		url: void 0,
		action: "other-head"
	});
	const before = await readOwnComments(github, pullRequest, checkName, state.value);
	if (!before.ok) return err(asRefusal(before.error));
	const ours = {
		marker: request,
		...contentFor(statesOf(before.value))
	};
	const later = before.value.find((own) => own.marker.headSha === headSha && isLater(own.marker, request));
	if (later !== void 0) return result_ok({
		url: later.url,
		action: "superseded"
	});
	const worse = before.value.find((own) => isWorse(own, ours));
	if (worse !== void 0) return result_ok({
		url: worse.url,
		action: "worse"
	});
	const list = () => listOwnComments(github, pullRequest, checkName, state.value.viewer);
	const [oldest, ...surplus] = before.value;
	if (oldest === void 0 && !mayCreate) return result_ok({
		url: void 0,
		action: "none"
	});
	if (oldest !== void 0 && saysTheSame(oldest.body, ours.body)) {
		await removeAll(github, surplus);
		return result_ok({
			url: oldest.url,
			action: "unchanged"
		});
	}
	const text = `${hiddenLines(request, ours.state)}\n${ours.body}`;
	const updated = oldest && await editComment(github, oldest.id, text);
	const isGone = updated?.ok === false && isDeleted(updated.error);
	if (isGone && !mayCreate) return result_ok({
		url: void 0,
		action: "none"
	});
	const findOurs = async () => {
		const now = await list();
		return now.ok ? result_ok(now.value.find((own) => markerLine(own.marker) === markerLine(request))) : now;
	};
	const written = updated === void 0 || isGone ? await postComment(github, pullRequest, text, findOurs) : updated;
	if (!written.ok) return err(asRefusal(written.error));
	const action = updated === void 0 || isGone ? "created" : "updated";
	const after = await list();
	if (!after.ok) return result_ok({
		url: written.value.url,
		action
	});
	return settle(github, {
		...ours,
		text
	}, written.value, action, after.value);
}
async function settle(github, ours, written, action, after) {
	const { marker, text } = ours;
	const [oldest, ...surplus] = after;
	const later = after.find((own) => isLater(own.marker, marker));
	const stronger = later ?? after.find((own) => isWorse(own, ours));
	if (stronger !== void 0) {
		if (oldest?.id !== written.id) await removeAll(github, surplus.filter((own) => own.id === written.id));
		return result_ok({
			url: stronger.url,
			action: later === void 0 ? "worse" : "superseded"
		});
	}
	if (oldest === void 0) return result_ok({
		url: written.url,
		action
	});
	if (isLater(marker, oldest.marker) || isWorse(ours, oldest)) {
		const again = await editComment(github, oldest.id, text);
		if (!again.ok && isDeleted(again.error)) return result_ok({
			url: written.url,
			action
		});
		if (!again.ok) return err(asRefusal(again.error));
	}
	await removeAll(github, surplus);
	return result_ok({
		url: oldest.url ?? written.url,
		action: oldest.id === written.id ? action : "updated"
	});
}
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
async function removeAll(github, comments) {
	for (const { id } of comments) await github.ask({
		operation: "remove a surplus comment",
		permission: comment_permission,
		route: "DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}",
		parameters: { comment_id: id },
		answer: unknown()
	});
}
function statesOf(own) {
	return own.toSorted((a, b) => isLater(a.marker, b.marker) ? -1 : 1).flatMap(({ state }) => state === void 0 ? [] : [state]);
}
function isWorse(a, b) {
	return markerLine(a.marker) === markerLine(b.marker) && splitState(a.state).badness > splitState(b.state).badness;
}
function isDeleted({ status }) {
	return status === 404 || status === 410;
}
function asRefusal(error) {
	return {
		...error,
		permission: comment_permission
	};
}
const COMMENT_LIMIT = 6e4;
const comment_NOTES_RESERVE = 1500;
const FOLD_LIMIT = 8e3;
const comment_LONGEST_TEXT = 4e3;
function renderComment(report, extras = {}) {
	const { since, hidden = 0, coverage = fitSummary(report) } = extras;
	const { findings } = report.verdict;
	const render = linkingChecks(report);
	const top = [
		headingSection(report),
		leadSection(report, render),
		severityTable(report),
		sinceSection(since)
	];
	const bottom = [
		noticesSection(report, render),
		scanSection(report),
		noteSection(report)
	];
	const folds = [fold(report, coverage, "exempt", "exempt by path"), fold(report, coverage, "triaged", "closed by triage in the scanning service")];
	const around = toText(join([
		...top,
		...folds,
		...bottom
	], BLANK_LINE)).length;
	const limit = COMMENT_LIMIT - hidden - around - comment_NOTES_RESERVE;
	const reported = fitted(report, findings.reported, limit, since?.fresh);
	const middle = [
		reported.markdown,
		listNotes(reported, coverage, (place) => linkToChecks(place, report)),
		belowNote(report, coverage),
		...folds
	];
	return toText(join([
		...top,
		...middle,
		...bottom
	], BLANK_LINE));
}
function fitted(report, findings, limit, fresh) {
	return truncateFindings(findingBlocks(findings, report, fresh), {
		limit,
		sizeOf: (text) => text.length
	}, comment_LONGEST_TEXT);
}
function belowNote(report, { leftOut }) {
	const { below } = report.verdict.findings;
	if (below.length === 0) return NOTHING;
	const where = linkToChecks(placeOfMissing(below.length, leftOut.below), report);
	return md`${countOf(below.length, "finding")} below ${report.policy.severityThreshold}: listed ${where}.`;
}
function fold(report, coverage, group, name) {
	const findings = report.verdict.findings[group];
	if (findings.length === 0) return NOTHING;
	const list = fitted(report, findings, FOLD_LIMIT);
	const where = linkToChecks(placeOfMissing(list.leftOut, coverage.leftOut[group]), report);
	const more = list.leftOut === 0 ? NOTHING : md`${list.leftOut} more: listed ${where}.`;
	const body = join([list.markdown, more], BLANK_LINE);
	return md`<details><summary>${countOf(findings.length, "finding")} ${name}</summary>\n\n${body}\n\n</details>`;
}
function composeComment(report, owner, mark, states, seal, coverage) {
	const head = owner.headSha;
	const earlier = states.map(splitState);
	const { findings } = report.verdict;
	const { scanId, publication: page } = report;
	const scanned = isScanned(report.verdict);
	const before = earlier.map(({ sealed }) => readFacts(sealed, owner, seal).history).find((history) => history !== void 0);
	const publication = scanId === void 0 || page === void 0 ? void 0 : {
		scanId,
		...page
	};
	const state = joinState({
		mark: mark ?? earlier.find((one) => one.mark !== "")?.mark ?? "",
		badness: badnessOf(report.verdict),
		sealed: scanned ? sealFacts({
			history: nextHistory(before, head, findings),
			publication
		}, owner, seal) : earlier.find(({ sealed }) => sealed !== "")?.sealed ?? ""
	});
	return {
		state,
		body: renderComment(report, {
			since: scanned ? compareFindings(before, head, findings) : void 0,
			hidden: state.length,
			coverage
		})
	};
}
async function deliverComment({ github, signal, environment, inputs, seal, log }, report, mark, warn, readPullRequest, coverage) {
	const { number: pullRequest, state } = report.target?.pullRequest ?? {};
	if (pullRequest === void 0 || report.target === void 0 || inputs.comment === "never") return void 0;
	if (state === "closed") return void 0;
	if (report.disclosure === "labels") return void 0;
	const { checkName } = inputs;
	const wanted = {
		pullRequest,
		headSha: report.target.headSha,
		checkName,
		runId: environment.runId,
		runAttempt: environment.runAttempt,
		mayCreate: inputs.comment === "always" || report.verdict.findings.reported.length > 0
	};
	const contentFor = (states) => composeComment(report, wanted, mark, states, seal, coverage);
	const synced = await syncComment(github.until(signal), wanted, contentFor, readPullRequest);
	if (!synced.ok) {
		warn(explainGitHubError(synced.error));
		return;
	}
	const { action, url } = synced.value;
	if (action === "superseded") log.info("Did not update the comment: a later run wrote it.");
	if (action === "worse") warn(sharedName(checkName));
	if (action === "other-head") log.info("Did not write the comment: the pull request has another head now.");
	return url;
}
function sharedName(checkName) {
	return `Did not update the comment: another step or job of this run wrote a worse result there, because it also has the \`check-name\` ${JSON.stringify(checkName)}. Give each a \`check-name\` of its own.`;
}
async function findEarlierPublication({ github, seal, signal }, state, owner, scanId, baseUrl) {
	const comments = await readOwnComments(github.until(signal), owner.pullRequest, owner.checkName, state);
	if (!comments.ok) return void 0;
	const known = comments.value.map(({ state: hidden }) => readFacts(splitState(hidden).sealed, owner, seal).publication).findLast((publication) => publication?.scanId === scanId);
	if (known === void 0) return void 0;
	const { publicId, gated } = known;
	return {
		publicId,
		gated,
		url: publicScanPage(baseUrl, publicId),
		accessPassword: null
	};
}
const sarif_rules_BREAK = "\u200b";
function plainText(text) {
	return withoutMeaning(logLines(text));
}
function plainLine(text) {
	return withoutMeaning(logLine(text));
}
function withoutMeaning(text) {
	return withoutPlaceholders(text.replaceAll("](", "] (").replace(/@(?=\w)|#(?=\d)/g, `$&${sarif_rules_BREAK}`));
}
function withoutPlaceholders(text) {
	return text.replace(/\{(\d+)\}/g, "{{$1}}");
}
function sarif_rules_hashOf(...values) {
	return (0, load_node_crypto().createHash)("sha256").update(JSON.stringify(values)).digest("hex").slice(0, 16);
}
function slugOf(text, longest) {
	return (text.toLowerCase().match(/[a-z0-9]+/g) ?? []).join("-").slice(0, longest).replace(/-$/, "");
}
const LONGEST_DESCRIPTION = 1024;
const LONGEST_SLUG = 60;
function sarifRules(findings, report, longest) {
	const sharing = new Map();
	for (const finding of findings) {
		const id = ruleIdOf(finding);
		const known = sharing.get(id);
		if (known === void 0) sharing.set(id, {
			index: sharing.size,
			findings: [finding]
		});
		else known.findings.push(finding);
	}
	return {
		rules: Array.from(sharing, ([id, one]) => rule(id, one.findings, report, longest)),
		ruleOf: (finding) => {
			const ruleId = ruleIdOf(finding);
			return {
				ruleId,
				ruleIndex: sharing.get(ruleId)?.index ?? -1
			};
		}
	};
}
function ruleIdOf({ title, cwe }) {
	if (cwe !== void 0) return `cwe-${cwe}`;
	return `${slugOf(title, LONGEST_SLUG) || "finding"}-${sarif_rules_hashOf(title).slice(0, 8)}`;
}
function rule(id, findings, report, longest) {
	const [first] = findings;
	if (first === void 0) throw new Error("a rule without a finding");
	const common = inCommon(first, findings);
	const { severity } = worstFirst(findings)[0] ?? first;
	return {
		id,
		shortDescription: { text: sarif_rules_description(common.title, plainLine) },
		fullDescription: { text: sarif_rules_description(common.description ?? common.title) },
		help: {
			text: plainText(common.recommendedFix === void 0 ? SEE_ALERT : `How to fix: ${cutCharacters(common.recommendedFix, longest)}`),
			markdown: helpMarkdown(common, report, longest)
		},
		defaultConfiguration: { level: sarifLevel(severity) },
		properties: {
			tags: ["security", ...first.cwe === void 0 ? [] : [`external/cwe/cwe-${first.cwe}`]],
			"security-severity": SCORES[severity.level]
		}
	};
}
function inCommon(first, findings) {
	const shared = (member) => findings.every((finding) => finding[member] === first[member]) && first[member]?.trim() !== "" ? first[member] : void 0;
	const sameTitle = findings.every(({ title }) => title === first.title);
	return {
		...first,
		title: sameTitle || first.cwe === void 0 ? first.title : `CWE-${first.cwe}`,
		description: shared("description"),
		recommendedFix: shared("recommendedFix"),
		proofOfConcept: shared("proofOfConcept"),
		url: shared("url")
	};
}
function helpMarkdown(common, report, longest) {
	const texts = findingTexts(common, report, longest);
	return withoutPlaceholders(toText(texts === NOTHING ? md`${SEE_ALERT}` : texts));
}
function sarif_rules_description(text, plain = plainText) {
	return cutCharacters(plain(cutCharacters(text.trim(), LONGEST_DESCRIPTION)), LONGEST_DESCRIPTION) || UNTITLED;
}
function sarifLevel({ level }) {
	if (level === "medium") return "warning";
	return level === "low" || level === "info" ? "note" : "error";
}
const SEE_ALERT = "See the alert and the scanning service for details and the fix.";
const SCORES = {
	unknown: "10.0",
	critical: "9.5",
	high: "8.0",
	medium: "5.5",
	low: "2.0",
	info: void 0
};
function fingerprintsOf(all) {
	const seen = new Map();
	return new Map(all.toSorted((a, b) => byPlace(a.finding, b.finding)).map((one) => {
		const hash = sarif_rules_hashOf("occurrence", ruleIdOf(one.finding), one.finding.location?.path);
		const number = (seen.get(hash) ?? 0) + 1;
		seen.set(hash, number);
		return [one, `${hash}:${number}`];
	}));
}
function byPlace(a, b) {
	const lines = (a.location?.startLine ?? 0) - (b.location?.startLine ?? 0);
	const ends = (a.location?.endLine ?? 0) - (b.location?.endLine ?? 0);
	return lines || ends || (a.title < b.title ? -1 : a.title > b.title ? 1 : 0);
}
const SOURCE_ROOT = "%SRCROOT%";
const NO_FILE = "no%20file%20associated%20with%20this%20alert";
const sarif_LONGEST_TITLE = 300;
const sarif_LONGEST_WORD = 200;
function sarifResults(report, ruleOf, fingerprints, longest) {
	return (one) => {
		const { finding, group, blocks } = one;
		const address = finding.url && allowedAddress(finding.url, allowedLinks(report));
		return {
			...ruleOf(finding),
			level: sarifLevel(finding.severity),
			message: { text: sarif_messageOf(finding, longest) },
			locations: [locationOf(finding)],
			partialFingerprints: { primaryLocationLineHash: fingerprints.get(one) },
			suppressions: suppressionsOf(finding),
			hostedViewerUri: address || void 0,
			properties: {
				findingId: finding.id,
				label: shortWord(finding.label),
				group,
				blocks,
				severity: shortWord(severityLabel(finding.severity)),
				evidence: shortWord(evidenceLabel(finding)),
				resolution: finding.resolution && shortWord(finding.resolution)
			}
		};
	};
}
function sarif_messageOf(finding, longest) {
	const { title, description, recommendedFix } = finding;
	const name = plainLine(cutCharacters(title, sarif_LONGEST_TITLE).trim()) || UNTITLED;
	return [
		/[.!?\u2026]$/.test(name) ? name : `${name}.`,
		plainText(cutCharacters(description ?? "", longest)),
		recommendedFix?.trim() ? plainText(`How to fix: ${cutCharacters(recommendedFix, longest)}`) : "",
		`In the scanning service: ${shortWord(finding.label)} (${shortWord(evidenceLabel(finding))}).`
	].filter((part) => part.trim() !== "").join("\n\n");
}
function locationOf({ location }) {
	const place = placeOf(location);
	if (place === void 0) {
		const named = location === void 0 ? "The service gives no location." : `Not linked, because ${causeWithoutLines(location)}: ${location.path}`;
		return {
			physicalLocation: { artifactLocation: { uri: NO_FILE } },
			message: { text: plainLine(cutCharacters(named, sarif_LONGEST_TITLE)) }
		};
	}
	const { path, lines } = place;
	return { physicalLocation: {
		artifactLocation: {
			uri: path.split("/").map(encodeURIComponent).join("/"),
			uriBaseId: SOURCE_ROOT
		},
		region: lines && {
			startLine: lines.start,
			endLine: lines.end
		}
	} };
}
function suppressionsOf(finding) {
	const text = resolutionLabel(finding);
	if (text === void 0) return [];
	return [{
		kind: "external",
		status: "accepted",
		justification: `Closed by triage in the scanning service: ${text}.`
	}];
}
function shortWord(text) {
	return cutCharacters(plainLine(text), sarif_LONGEST_WORD);
}
const MOST_RESULTS = 5e3;
const TEXTS_LIMIT = 12e6;
const COPIES_OF_TEXTS = 7;
const sarif_LONGEST_TEXT = 1e4;
const LONGEST_NOTICE = 500;
const LONGEST_CATEGORY = 60;
function* renderSarif(report) {
	const all = groupedFindings(report.verdict);
	const listed = all.slice(0, MOST_RESULTS);
	const findings = listed.map(({ finding }) => finding);
	const withTexts = findings.filter((one) => one.description ?? one.recommendedFix ?? one.proofOfConcept).length;
	const longest = Math.min(sarif_LONGEST_TEXT, Math.floor(TEXTS_LIMIT / COPIES_OF_TEXTS / Math.max(withTexts, 1)));
	const { rules, ruleOf } = sarifRules(findings, report, longest);
	yield* streamedJson({
		$schema: "https://json.schemastore.org/sarif-2.1.0.json",
		version: "2.1.0",
		runs: [{
			...sarif_describeRun(report, listed, all.length - listed.length, rules),
			results: []
		}]
	}, listed, sarifResults(report, ruleOf, fingerprintsOf(all), longest));
}
function sarif_describeRun(report, listed, leftOut, rules) {
	const { verdict, target, diffBase, scanId, runUrl, serverUrl } = report;
	const warnings = [
		...report.warnings,
		...unreadNotice(listed),
		...leftOutNotice(leftOut)
	];
	return {
		tool: { driver: {
			...TOOL,
			rules
		} },
		automationDetails: { id: `scangate/${categoryOf(report.checkName)}/` },
		invocations: [{
			executionSuccessful: true,
			endTimeUtc: report.date.toISOString(),
			toolExecutionNotifications: warnings.map((notice) => ({
				level: "warning",
				message: { text: plainLine(cutCharacters(notice, LONGEST_NOTICE)) }
			}))
		}],
		versionControlProvenance: target && [{
			repositoryUri: `${serverUrl}/${encodeURIComponent(target.repository.owner)}/${encodeURIComponent(target.repository.name)}`,
			revisionId: target.headSha,
			mappedTo: { uriBaseId: SOURCE_ROOT }
		}],
		originalUriBaseIds: { [SOURCE_ROOT]: { description: { text: "The root of the repository at the scanned commit." } } },
		properties: {
			outcome: verdict.outcome,
			headline: headline(report).text,
			findings: verdict.findings.total,
			findingsLeftOut: leftOut,
			scanId,
			baseCommit: diffBase?.baseSha,
			workflowRun: runUrl
		}
	};
}
function leftOutNotice(leftOut) {
	if (leftOut === 0) return [];
	return [`${countOf(leftOut, "more finding")} did not fit here: code scanning keeps ${MOST_RESULTS}. See the scanning service for all of them.`];
}
function categoryOf(checkName) {
	const slug = slugOf(checkName, LONGEST_CATEGORY);
	return slug !== "" && slug === checkName.toLowerCase().replaceAll(" ", "-") ? slug : `${slug || "check"}-${sarif_rules_hashOf(checkName).slice(0, 8)}`;
}
function deliverToLog(log, report, coverage) {
	const { reported } = report.verdict.findings;
	if (reported.length > 0) log.group(`Findings (${reported.length}, worst first)`, findingLines(report));
	const readOn = readOnLine(report);
	if (readOn !== void 0) log.info(readOn);
	const unlisted = unlistedText(report);
	if (unlisted !== void 0) log.info(`Not listed here: ${unlisted}. See the list ${placeOfUnlisted(report, coverage)}.`);
	if (report.verdict.exitCode !== 0) {
		log.info(verdictOf(report));
		return;
	}
	const { problems, nextStep } = headline(report);
	const next = report.verdict.allowed ? `${TO_GET_A_SCAN}: ${nextStep}` : nextStep;
	log.info(problems.length === 0 ? `${verdictOf(report)} ${next}` : verdictOf(report));
	for (const problem of problems) log.info(`- ${problem}`);
	if (problems.length > 0) log.info(next);
}
function closeLog(log, report, delivered) {
	const places = [
		["Check run", delivered.checkRunUrl],
		["Comment", delivered.commentUrl],
		["Published page", report.publication?.url],
		["SARIF file", delivered.sarifFile],
		["JSON report", delivered.reportFile]
	].flatMap(([place, where]) => where === void 0 ? [] : [`${place}: ${where}`]);
	if (places.length > 0) log.group("Where the report is", places);
	if (report.verdict.exitCode === 0) return;
	const { problems, nextStep } = headline(report);
	if (problems.length === 0) log.error(`${verdictOf(report)} ${nextStep}`);
	else log.error(verdictOf(report), [...problems.map((problem) => `- ${problem}`), nextStep]);
}
function verdictOf(report) {
	const { text, cause = "" } = headline(report);
	return `${text}. ${cause}`.trimEnd();
}
function annotateInLog(log, annotations, leftOutBefore, coverage) {
	const leftOut = annotations.filter((annotation) => !log.annotate(annotation)).length + leftOutBefore;
	if (leftOut === 0) return;
	const where = coverage?.leftOut.reported === 0 ? "The job summary lists" : "This log lists";
	log.info(`${countOf(leftOut, "more finding")} not annotated: GitHub shows 10 annotations of each level per step. ${where} all reported findings.`);
}
function leaveForPost(state, report, checkRunInProgress, scanLeftRunning) {
	const { scanId, target, verdict } = report;
	if (!scanLeftRunning) state.clearScan();
	if (checkRunInProgress === void 0 || target === void 0) {
		state.clearCheckRun();
		return;
	}
	state.saveCheckRun({
		headSha: target.headSha,
		...scanId === void 0 ? {} : { scanId },
		...checkRunInProgress === "not known" ? {} : { id: checkRunInProgress },
		verdict: {
			conclusion: verdict.conclusion,
			title: headline(report).text
		}
	});
}
async function deliver(deps, whole, checkRun, mark, readPullRequest) {
	const { log, inputs, warnings } = deps;
	const { warn } = warnings;
	const report = toReport(whole);
	const withholdsSarif = report.target?.event === "push" && inputs.sarifFile !== void 0;
	if (withholdsSarif && isScanned(report.verdict)) warn(NO_SARIF_OF_PUSH);
	const sarifPath = withholdsSarif || !isScanned(report.verdict) ? void 0 : inputs.sarifFile;
	const lists = await attempt("job summary", warn, async () => fitSummary(report));
	const coverage = lists ?? coversNothing(report);
	await attempt("log", warn, async () => deliverToLog(log, report, coverage));
	const annotated = (inputs.annotations === "off" ? void 0 : await attempt("annotations", warn, async () => toAnnotations(report))) ?? NO_ANNOTATIONS;
	let shown = {
		url: (checkRun?.started?.ok ? checkRun.started.value : void 0)?.url,
		inProgress: inProgressOf(checkRun?.started),
		unshown: annotated.annotations
	};
	const added = () => ({
		checkRunUrl: shown.url,
		warnings: warnings.list()
	});
	const now = () => ({
		...report,
		...added()
	});
	const wholeNow = () => ({
		...whole,
		...added()
	});
	const ofComment = [];
	const warnLater = (...sentences) => void ofComment.push(...sentences);
	const [completed, commentUrl] = await Promise.all([checkRun && attempt("check run", warn, () => deliverCheckRun(deps, now(), checkRun, annotated, warn, coverage)), attempt("comment", warnLater, () => deliverComment(deps, now(), mark, warnLater, readPullRequest, coverage))]);
	warn(...ofComment);
	shown = completed ?? shown;
	const [sarifFile, reportFile] = [await attempt("SARIF file", warn, () => deliverFile(deps.workspace, sarifPath, wholeNow(), renderSarif)), await attempt("JSON report", warn, () => deliverFile(deps.workspace, inputs.reportFile, wholeNow(), renderJsonReport))];
	const written = await attempt("job summary", warn, async () => {
		await deps.writeSummary(renderSummary(now(), lists));
		return lists;
	});
	if (shown.unshown.length > 0) annotateInLog(log, shown.unshown, annotated.leftOut, written);
	const delivered = {
		checkRunUrl: shown.url,
		commentUrl,
		sarifFile,
		reportFile,
		checkRunInProgress: shown.inProgress
	};
	await attempt("log", warn, async () => closeLog(log, now(), delivered));
	return delivered;
}
const NO_SARIF_OF_PUSH = "No SARIF file was written: uploading the findings of one push would close all other alerts of the branch. Set `sarif-file` on full scans only.";
async function deliverVerdict(gate, result, verdict) {
	const { environment, inputs, state, seal, deadlines, log, watch } = gate;
	const leave = (about, checkRunInProgress) => leaveForPost(state, about, checkRunInProgress, result.mayStillBeRunning === true);
	const judged = toReport(reportOf(gate, result, verdict));
	await attempt("state", log.warning, async () => leave(judged, inProgressOf(result.checkRun)));
	const whole = reportOf(gate, result, verdict, await publish(gate, result, verdict));
	const report = toReport(whole);
	const { checkName } = inputs.delivery;
	const identity = result.identity ?? (result.target && createStepIdentity(environment, {
		seal,
		checkName
	}, result.target.headSha, void 0));
	const delivered = await deliver({
		...gate,
		signal: deadlines.wrapUp,
		inputs: inputs.delivery
	}, whole, identity && stepCheckRun(identity.checkRun(result), result, (id) => identity.isStarted(id, result)), identity?.mark(result), watch && ((until) => readForComment(watch, until)));
	leave(report, delivered.checkRunInProgress);
	gate.writeOutputs(outputsOf(report, delivered));
}
async function publish({ inputs, api, github, seal, deadlines, signal, log, warn, watch }, result, verdict) {
	const { connection, delivery } = inputs;
	const { when, gated } = inputs.publish;
	const { target, preflight: ready, scanId, reused } = result;
	const wanted = when === "always" || when === "on-findings" && verdict.findings.reported.length > 0;
	if (!isScanned(verdict) || scanId === void 0) return void 0;
	if (reused === true) {
		const last = watch?.last?.answer;
		const reads = [last?.ok ? last.value : void 0, watch?.first].filter((one) => one !== void 0);
		const state = reads.find(({ comments }) => comments !== void 0) ?? reads[0];
		const pullRequest = target?.pullRequest?.number;
		if (state === void 0 || pullRequest === void 0) return void 0;
		const access = {
			github,
			seal,
			signal: deadlines.wrapUp
		};
		const { checkName } = delivery;
		const { baseUrl } = connection;
		return findEarlierPublication(access, state, {
			pullRequest,
			checkName
		}, scanId, baseUrl);
	}
	if (!wanted || ready === void 0) return void 0;
	const published = await publishScan(api, ready.projectId, scanId, gated, signal);
	if (!published.ok) {
		warn(published.error);
		return;
	}
	if (published.value.accessPassword !== null) log.mask(published.value.accessPassword);
	return published.value;
}
function reportOf({ inputs, clock, environment: { serverUrl, runUrl, runAttempt }, warnings, spent, startedAt }, { outcome: _, ...facts }, verdict, publication) {
	const { policy, delivery, connection } = inputs;
	return {
		...facts,
		verdict,
		disclosure: disclosureOf(facts.target),
		policy,
		checkName: delivery.checkName,
		note: delivery.commentNote,
		publication,
		serverUrl,
		serviceOrigin: URL.parse(connection.baseUrl)?.origin ?? "",
		runUrl,
		runAttempt,
		warnings: warnings.list(),
		date: clock.date(),
		timeSpent: {
			waitedForReadinessMs: Math.round(spent.waitedForReadinessMs),
			scanMs: Math.round(spent.scanMs),
			totalMs: Math.round(clock.now() - startedAt)
		}
	};
}
async function publishScan(api, projectId, scanId, gated, signal) {
	const answer = await api.publish(projectId, scanId, gated, { signal });
	if (!answer.ok) {
		const { cause, nextStep } = explainApiError(answer.error);
		return err(`The scan was not published. ${cause}${answer.error.kind === "refused" ? "" : " It may be public anyway."} ${nextStep}`);
	}
	if (gated && answer.value.accessPassword === null) return err("The service published the scan without the password that Scangate asked for. Check in the service who can read the page.");
	return answer;
}
async function endWithoutScan(gate, { result, superseding }) {
	if (superseding !== void 0) await cancelForOlderHeads(gate, superseding, superseding.marks);
	return result;
}
const MOST_OLDER = 3;
async function cancelForOlderHeads(gate, { target, preflight }, marks) {
	const { api, environment, signal, log, warn, watch } = gate;
	const { pullRequest, headSha } = target;
	const { projectId, repository, scans } = preflight;
	if (pullRequest === void 0 || watch === void 0) return;
	const ended = new Set((scans.ok ? scans.value.scans : []).filter(({ status = "" }) => isTerminal(status)).map(({ id }) => id));
	const older = marks.filter((mark) => mark.pullRequest === pullRequest.number && mark.headSha !== headSha && mark.runId < environment.runId && !ended.has(mark.scanId));
	const byScan = new Map(older.map((mark) => [mark.scanId, mark]));
	for (const mark of [...byScan.values()].slice(0, MOST_OLDER)) {
		const { scanId } = mark;
		const mayRun = (cause) => warn(`Scan \`${scanId}\` for an earlier commit may still be running and using credits. Check it in the service. ${cause}`);
		const read = await api.readScan(projectId, scanId, { signal });
		if (!read.ok) {
			if (!isNotFound(read.error)) mayRun(explainApiError(read.error).cause);
			continue;
		}
		const { status, repositoryId = repository.id } = read.value;
		const isOther = repositoryId !== repository.id || matchCommit(read.value.headSha, mark.headSha) === "different";
		if (isTerminal(status) || isOther) continue;
		const { answer } = await readNow(watch, signal);
		if (!answer.ok) mayRun(explainGitHubError(answer.error));
		if (!answer.ok || answer.value.headSha !== headSha) continue;
		const cancellation = await cancelScan(gate, projectId, scanId);
		if (cancellation.kind === "failed") mayRun(cancellation.cause);
		else if (cancellation.kind === "cancelled") log.info(`Cancelled scan \`${scanId}\` of the older head commit \`${mark.headSha}\`. The service releases its reserved credits, but charges completed work.`);
	}
}
async function settleEarlierAttempt(gate, result) {
	const { github, environment, seal, deadlines, inputs } = gate;
	const { target, outcome, identity, checkRun } = result;
	if (target === void 0) return result;
	const isClosed = outcome.kind === "not-scanned" && outcome.failure.reason === "unsupported-event" && target.pullRequest?.state === "closed";
	if (identity !== void 0 && !isClosed) return result;
	const open = await findOpenCheckRuns({
		github,
		seal,
		signal: deadlines.wrapUp
	}, environment, target.headSha, inputs.delivery.checkName);
	const [newest] = open;
	if (newest === void 0) return result;
	const taken = identity === void 0 ? {
		...result,
		checkRun: result_ok(newest)
	} : result;
	if (!isClosed) return taken;
	const mayStillBeRunning = await cancelLeftScans(gate, (identity === void 0 ? open : open.filter(({ id }) => checkRun?.ok && id === checkRun.value.id)).filter(({ ownsScan }) => ownsScan).map(({ scanId }) => scanId));
	return mayStillBeRunning ? {
		...taken,
		mayStillBeRunning
	} : taken;
}
async function cancelLeftScans(gate, scanIds) {
	const { api, token, inputs, deadlines, log, warn, state } = gate;
	if (scanIds.length === 0) return false;
	const signal = deadlines.cancelling;
	const mayRun = (scanId, cause) => warn(`Scan \`${scanId}\` of an earlier attempt may still be running and using credits: cancel it in the service. ${cause}`);
	const askToken = async () => {
		const answer = await token();
		return !answer.ok && answer.error.kind === "stopped" ? api.token({ signal }) : answer;
	};
	const project = await findProject(askToken, inputs.connection.projectId);
	if (!project.ok) {
		for (const scanId of scanIds) mayRun(scanId, project.error.cause);
		return false;
	}
	const projectId = project.value;
	const running = [];
	for (const scanId of scanIds) {
		const read = await api.readScan(projectId, scanId, { signal });
		if (!read.ok && isNotFound(read.error) || read.ok && isTerminal(read.value.status)) continue;
		state.saveScan({
			projectId,
			scanId
		});
		const cancellation = await cancelScan({
			...gate,
			signal
		}, projectId, scanId);
		if (cancellation.kind !== "failed") log.info(describeCancellation(scanId, cancellation));
		else {
			running.push(scanId);
			mayRun(scanId, cancellation.cause);
		}
	}
	const [first] = running;
	if (first === void 0) return false;
	state.saveScan({
		projectId,
		scanId: first
	});
	return true;
}
function unprovenScans(scans, expected, isUsed) {
	return scans.flatMap((scan) => {
		const { id, status } = scan;
		const isAlike = matchCommit(scan.headSha, expected.headSha) === "same" && !showsOtherChange(scan, expected);
		const hasResult = status === void 0 || !isTerminal(status) || status === "COMPLETED";
		return id !== void 0 && isAlike && hasResult && !isUsed(id) ? [id] : [];
	});
}
function describeUnproven(scanIds) {
	const ids = listed(scanIds.map((id) => `\`${id}\``));
	return scanIds.length === 1 ? `Scan ${ids} is of the same commit. No mark proves that its launch used these inputs, so Scangate does not use it.` : `Scans ${ids} are of the same commit. No mark proves that their launches used these inputs, so Scangate does not use them.`;
}
const MOST_TRIED = 5;
function candidates(exact, sameFiles = []) {
	return [...earlier_scan_firstOf(exact).map((scan) => ({
		kind: "exact",
		scan
	})), ...earlier_scan_firstOf(sameFiles).map((scan) => ({
		kind: "same-files",
		scan
	}))].toSorted((a, b) => b.scan.launchedAt - a.scan.launchedAt);
}
function earlier_scan_firstOf(scans) {
	return [...new Map(scans.map((scan) => [scan.scanId, scan])).values()].slice(0, MOST_TRIED);
}
function createFileComparison({ github, signal }, trees) {
	async function hasSameFiles(shown, expected, tree) {
		if (shown === void 0) return result_ok(true);
		if (expected === void 0) return result_ok(false);
		if (matchCommit(shown, expected) !== "different") return result_ok(true);
		const sha = shownInFull(shown, expected);
		if (sha === void 0) return err(NOT_IN_FULL);
		const [one, other] = await Promise.all([readCommitTree(github.until(signal), sha), tree === void 0 ? readCommitTree(github.until(signal), expected) : result_ok(tree)]);
		if (!one.ok) return err(notCompared(one.error, signal));
		if (!other.ok) return err(notCompared(other.error, signal));
		return result_ok(one.value === other.value);
	}
	return async (scan, { baseSha, headSha }) => {
		const head = await hasSameFiles(scan.headSha, headSha, trees?.head);
		return head.ok && head.value ? hasSameFiles(scan.baseSha ?? void 0, baseSha, trees?.base) : head;
	};
}
const RELAUNCH = "Re-run this job to launch a new scan.";
const NOT_IN_FULL = {
	reason: "service-error",
	cause: "The scan shows another commit, and not its full SHA. Its files could not be compared with this change.",
	nextStep: RELAUNCH
};
function notCompared(error, signal) {
	if (error.kind === "stopped") return explainStop(stopCause(signal), "the files of the scan had not been compared");
	return {
		reason: "service-error",
		cause: `The scan shows other commits, and their files could not be compared with this change. ${causeOf(error)}`,
		nextStep: error.kind === "not-found" ? RELAUNCH : fixOf(error)
	};
}
const GONE_AFTER_MS = 6e3;
function tryCandidate(step, { kind, scan }, request) {
	return kind === "exact" ? tryExact(step, scan, request) : trySameFiles(step, scan, request);
}
function newerLaunch(first, second) {
	const isLater = Number(second?.launchedAt) > Number(first?.launchedAt);
	return first === void 0 || isLater ? second : first;
}
async function tryExact(step, scan, request) {
	const { log, warn } = step;
	const { scanId } = scan;
	const { headSha } = request.expected;
	log.info(`Found scan \`${scanId}\` of another run.`);
	const shown = await awaitScan(step, {
		...request,
		scanId
	}, GONE_AFTER_MS);
	const followed = shown.ok ? await followScan(step, {
		...request,
		scanId
	}, shown.value) : shown.error;
	if (followed.kind === "completed") return reuse(log, scan, followed, headSha, headSha);
	const { failure } = followed;
	const facts = factsOf(scan, followed.scan);
	if (followed.kind === "left-running" && (followed.why === "stopped" || followed.why === "no-answer")) {
		warn(`Scan \`${scanId}\` is still running. Another run launched it, so this run did not cancel it. Re-run this job to get its result at no extra cost.`);
		return {
			kind: "left-running",
			result: {
				...facts,
				outcome: earlier_scan_notScanned(failure)
			}
		};
	}
	log.info(`Scan \`${scanId}\` cannot be reused. ${failure.cause}`);
	if (followed.kind !== "ended") return PASSED_OVER;
	return {
		kind: "none",
		ended: {
			...facts,
			outcome: earlier_scan_notScanned({
				...failure,
				repeated: true
			})
		}
	};
}
async function trySameFiles({ api, signal, log }, scan, { projectId, expected: { headSha }, compareFiles }) {
	const { scanId, baseSha } = scan;
	const expected = {
		baseSha,
		headSha: scan.headSha
	};
	const passOver = (why) => {
		log.info(`Scan \`${scanId}\` of the same files is not used. ${why}`);
		return PASSED_OVER;
	};
	const read = await api.readScan(projectId, scanId, { signal });
	if (!read.ok) return passOver(explainApiError(read.error).cause);
	const { status } = read.value;
	if (status !== "COMPLETED") return passOver(`Its status is ${status}.`);
	const judged = await judgeEnded(read.value, status, {
		expected,
		compareFiles
	});
	if (judged.kind !== "completed") return passOver(judged.failure.cause);
	const scanned = scannedCommit(judged.scan, expected.headSha);
	log.info(scanned === headSha ? `Scan \`${scanId}\` is of this commit, for another pull request or from a base with the same files.` : `Scan \`${scanId}\` is of commit \`${scanned}\`, which has the same files.`);
	return reuse(log, scan, judged, scan.headSha, headSha);
}
const PASSED_OVER = {
	kind: "none",
	ended: void 0
};
function scannedCommit({ headSha }, marked) {
	return shownInFull(headSha, marked) ?? marked;
}
function reuse(log, named, completed, marked, headSha) {
	log.info(`Reusing scan \`${named.scanId}\`. No credits used.`);
	const scanned = scannedCommit(completed.scan, marked);
	const sameFilesAs = scanned === headSha ? void 0 : scanned;
	return {
		kind: "completed",
		completed,
		scan: {
			...factsOf(named, completed.scan),
			sameFilesAs
		}
	};
}
function factsOf({ scanId, launchedAt }, scan) {
	return {
		reused: true,
		scanId,
		launchedAt,
		scanStatus: scan?.status,
		creditsReserved: 0
	};
}
function earlier_scan_notScanned(failure) {
	return {
		kind: "not-scanned",
		failure
	};
}
function withDetail(finding, detail) {
	const listShowsSeverity = finding.severity.word !== "";
	const location = finding.location?.startLine !== void 0 ? finding.location : detail.location ?? finding.location;
	const otherPaths = [...new Set([...pathsOf(finding), ...pathsOf(detail)])].filter((path) => path !== location?.path);
	return {
		...finding,
		severity: listShowsSeverity ? finding.severity : detail.severity,
		triage: finding.triage ?? detail.triage,
		evidence: finding.evidence === void 0 ? detail.evidence : finding.evidence,
		resolution: finding.resolution ?? detail.resolution,
		title: finding.title === UNTITLED ? detail.title : finding.title,
		cwe: finding.cwe ?? detail.cwe,
		location,
		...otherPaths.length === 0 ? {} : { otherPaths },
		url: finding.url ?? detail.url,
		description: detail.description ?? finding.description,
		recommendedFix: detail.recommendedFix ?? finding.recommendedFix,
		proofOfConcept: detail.proofOfConcept ?? finding.proofOfConcept
	};
}
const DETAILS_OF_WORST = 50;
const DETAILS_FOR_LOCATION = 200;
const findings_WIDTH = {
	from: 4,
	to: 32
};
const DETAILS_MS = 3e4;
const MOST_FAILURES = 10;
async function readFindings({ api, clock, signal }, { projectId, scanId }, policy) {
	const list = await api.findings(projectId, scanId, {
		signal,
		isPaid: true
	});
	if (!list.ok) return err(explained(list.error, { scanShown: true }));
	const wanted = worthReading(list.value, policy);
	const chosen = new Set(wanted);
	const details = new Map();
	const failures = [];
	const deadline = clock.timeout(DETAILS_MS);
	const inTime = AbortSignal.any([signal, deadline.signal]);
	await inGrowingPool(wanted, findings_WIDTH, async (finding, narrow) => {
		if (finding.id === void 0 || inTime.aborted || pointlessAfter(failures)) return false;
		const detail = await api.finding(projectId, finding.id, {
			signal: inTime,
			onThrottled: narrow
		});
		if (detail.ok) details.set(finding, withDetail(finding, detail.value));
		else failures.push(detail.error);
		return detail.ok;
	});
	const late = deadline.signal.aborted && !signal.aborted;
	deadline.clear();
	const signalled = failures.find((error) => error.kind === "stopped" && error.by === "signal");
	if (signalled !== void 0 && !late) return err(explained(signalled));
	return result_ok({
		findings: list.value.map((finding) => {
			const detailed = details.get(finding);
			if (detailed !== void 0) return detailed;
			const listed = isExemptAtGate(finding, policy) ? withUnknownFile(finding) : finding;
			return chosen.has(finding) || showsTexts(finding) || !mayBeReported(listed, policy) ? listed : {
				...listed,
				detailsUnread: true
			};
		}),
		warnings: detailNotices(wanted.length - details.size, late ? NOT_IN_TIME : failures.map((error) => sentencesOf(explained(error)))[0])
	});
}
function worthReading(findings, policy) {
	const candidates = worstFirst(findings.filter((finding) => finding.id !== void 0 && mayBeReported(finding, policy)));
	const exempt = findings.filter((finding) => finding.id !== void 0 && isExemptAtGate(finding, policy));
	return [...candidates.filter((finding, index) => index < DETAILS_OF_WORST || index < DETAILS_FOR_LOCATION && finding.location === void 0 || gateCannotTell(finding, policy)), ...exempt];
}
function showsTexts({ description, recommendedFix, proofOfConcept, evidence }) {
	return description !== void 0 && recommendedFix !== void 0 && (proofOfConcept !== void 0 || evidence !== "POC");
}
function withUnknownFile(finding) {
	return {
		...finding,
		otherPaths: [...finding.otherPaths ?? [], ""]
	};
}
function gateCannotTell(finding, policy) {
	const { failOn, pathsExempt } = policy;
	if (pathsExempt.length > 0 && finding.location === void 0 && isAtGate(finding, policy)) return true;
	const needed = neededEvidence(failOn, finding.severity);
	if (needed === void 0 || needed === "any") return false;
	if (finding.triage === void 0) return true;
	return needed === "poc" && finding.triage.confirms === true && finding.evidence === void 0;
}
function pointlessAfter(failures) {
	return failures.length >= MOST_FAILURES || failures.some((error) => error.kind === "stopped" || error.kind === "unreachable" || error.kind === "refused" && [
		401,
		403,
		429
	].includes(error.status));
}
const NOT_IN_TIME = "The service did not answer within 30 seconds. Re-run this job to read them.";
function detailNotices(missing, why) {
	if (missing === 0 || why === void 0) return [];
	return [`Could not read the details of ${missing === 1 ? "1 finding" : `${missing} findings`}. ${why}`];
}
function explained(error, context) {
	return error.kind === "stopped" ? explainStop(error.by, "it had read all findings of the completed scan") : explainApiError(error, context);
}
const result_LONGEST_WORD = 40;
const MOST_VALUES = 5;
function resultNotices(scan, findings, policy, disclosure) {
	const quotes = disclosure !== "labels";
	return [
		...unfinishedPhases(scan),
		...unknownSeverities(findings, quotes),
		...unknownEvidence(findings, policy, quotes)
	];
}
function unfinishedPhases({ progress: { phasesCompleted, phasesTotal } }) {
	if (phasesCompleted === void 0 || phasesTotal === void 0 || phasesCompleted >= phasesTotal) return [];
	return [`The scan is COMPLETED, but only ${phasesCompleted} of ${phasesTotal} phases finished, so findings can be missing. See the scan in the scanning service. To scan again, push a commit.`];
}
function unknownSeverities(findings, quotes) {
	return because(findings.filter((finding) => isOpen(finding) && finding.severity.level === "unknown"), "severity", ({ severity }) => severity.word, {
		one: "1 finding ranks above critical",
		many: (count) => `${count} findings rank above critical`,
		quotes
	});
}
function unknownEvidence(findings, policy, quotes) {
	const { failOn } = policy;
	const needing = (...levels) => findings.filter((finding) => {
		const needed = neededEvidence(failOn, finding.severity);
		return isAtGate(finding, policy) && needed !== void 0 && levels.includes(needed);
	});
	const option = `With \`${evidenceInput(failOn)}\``;
	const gate = `at or above ${mildestOf(failOn)}`;
	const claim = {
		one: `${option}, 1 finding ${gate} counts as proven`,
		many: (count) => `${option}, ${count} findings ${gate} count as proven`,
		quotes
	};
	const untriaged = needing("confirmed", "poc").filter(({ triage }) => triage?.confirms === void 0);
	const unproven = needing("poc").filter(({ triage, evidence }) => triage?.confirms === true && evidence !== "POC" && evidence !== "ANALYSIS");
	return [...because(untriaged, "triage", ({ triage }) => triage?.word, claim), ...because(unproven, "evidence", ({ evidence }) => evidence, claim)];
}
function because(findings, what, wordOf, claim) {
	const values = findings.map((finding) => foreignLine(wordOf(finding) ?? "", result_LONGEST_WORD));
	const unknown = values.filter((word) => word !== "");
	const silent = values.length - unknown.length;
	const said = (count) => count === 1 ? claim.one : claim.many(count);
	const whose = (count) => count === 1 ? "its" : "their";
	return [...silent > 0 ? [`${said(silent)} because the service does not show ${whose(silent)} ${what}.`] : [], ...unknown.length > 0 ? [`${said(unknown.length)} because ${whose(unknown.length)} ${what} is unknown${claim.quotes ? `: ${listDistinct(unknown)}` : ""}.`] : []];
}
function listDistinct(values) {
	const different = [...new Set(values)];
	const more = different.length - MOST_VALUES;
	return `${different.slice(0, MOST_VALUES).join(", ")}${more > 0 ? `, and ${more} more` : ""}`;
}
async function readResult(step, named, { scan, commitConfirmed, baseConfirmed }, policy, disclosure) {
	const read = await readFindings(step, named, policy);
	const confirmed = {
		commitConfirmed,
		baseConfirmed
	};
	if (!read.ok) return {
		outcome: {
			kind: "not-scanned",
			failure: read.error
		},
		...confirmed
	};
	const { findings, warnings } = read.value;
	step.warn(...warnings, ...resultNotices(scan, findings, policy, disclosure));
	return {
		outcome: {
			kind: "completed",
			scan,
			findings
		},
		...confirmed
	};
}
function elderTwins(marks, own) {
	const sameKey = marks.filter(({ key }) => key === own.key);
	const ofOwn = sameKey.filter(({ scanId }) => scanId === own.scanId);
	const ownRank = Math.min(own.rank, ...ofOwn.map(({ rank }) => rank));
	const elders = sameKey.filter(({ rank }) => rank < ownRank).toSorted((a, b) => a.rank - b.rank);
	return elders.filter(({ scanId }, index) => elders.findIndex((one) => one.scanId === scanId) === index);
}
async function yieldToTwin(step, own, cancelling, readMarks) {
	const { clock, signal } = step;
	const first = await readMarks();
	const yielded = first && await yieldToFirst(step, own, cancelling, first);
	if (yielded !== void 0) return yielded === "own" ? void 0 : yielded;
	for (let read = 1; read <= MOST_MARK_READS; read += 1) {
		await clock.sleep(MARKS_SHOWN_MS, signal);
		if (signal.aborted) return void 0;
		const marks = await readMarks();
		if (marks === void 0) continue;
		const found = await yieldToFirst(step, own, cancelling, marks);
		return found === "own" ? void 0 : found;
	}
}
async function yieldToFirst(step, own, cancelling, marks) {
	const { api, signal } = step;
	for (const elder of elderTwins(marks, own)) {
		const read = await api.readScan(own.projectId, elder.scanId, { signal });
		if (signal.aborted) return "own";
		if (!read.ok || showsOtherChange(read.value, own.expected)) continue;
		if (!(!isTerminal(read.value.status) || read.value.status === "COMPLETED")) continue;
		const cancellation = await cancelScan({
			...step,
			signal: cancelling
		}, own.projectId, own.scanId);
		if (!("status" in cancellation)) return {
			elder,
			own: cancellation.kind === "cancelled" ? "ended" : "unknown"
		};
		if (cancellation.status === void 0) return {
			elder,
			own: "unknown"
		};
		return cancellation.status === "COMPLETED" ? "own" : {
			elder,
			own: "ended"
		};
	}
}
const UNKNOWN_MS = 6e4;
async function followOwn(job, { scan: launched, pending }, options) {
	const { clock, deadlines, signal, state, change, known } = job;
	const { creditBudget } = change.plan;
	const { projectId, before } = pending;
	const { scanId, acceptedAt } = launched;
	let marked;
	const named = (createdAt) => ({
		scanId,
		launchedAt: launchTime({
			acceptedAt,
			createdAt
		}, clock.date())
	});
	const begin = (scan) => ({
		...scan,
		checkRun: beginCheckRun(job, scan, options.openCheckRun)
	});
	const end = async (result) => {
		const open = options.openCheckRun && result_ok(options.openCheckRun);
		return {
			kind: "ended",
			result: {
				...result,
				checkRun: await marked?.checkRun ?? open
			}
		};
	};
	const creditsBefore = known.credits;
	const disown = () => {
		state.clearScan();
		known.credits = creditsBefore;
		return end({
			...gate_notScanned(notOfLaunch(scanId, pending)),
			isMarkWrong: marked !== void 0
		});
	};
	const isProven = before !== void 0 && isNew(before, scanId, void 0);
	if (isProven === false) return disown();
	known.tried.add(scanId);
	known.credits += creditBudget ?? 0;
	if (isProven && acceptedAt !== void 0) marked = begin(named(void 0));
	let shown = await awaitScan(job, {
		projectId,
		scanId
	}, UNKNOWN_MS);
	if (!shown.ok && shown.error.why === "not-found") {
		const found = await searchLost(job, pending, scanId);
		if (found.kind !== "found" || found.scanId !== scanId) {
			known.credits = creditsBefore;
			return {
				kind: "unknown",
				found,
				marked: marked?.checkRun
			};
		}
		shown = await awaitScan(job, {
			projectId,
			scanId
		}, UNKNOWN_MS);
	}
	const until = signal.aborted ? deadlines.cancelling : signal;
	const createdAt = shown.ok ? shown.value.scan.createdAt : void 0;
	const isOurs = await isOfLaunch({
		...job,
		signal: until
	}, pending, {
		scanId,
		createdAt
	});
	if (isOurs.ok && !isOurs.value) return disown();
	const leave = async (failure) => {
		const left = isOurs.ok ? {
			...named(createdAt),
			...await abandonScan({
				...job,
				signal: deadlines.cancelling
			}, projectId, scanId)
		} : {
			scanId,
			mayStillBeRunning: true
		};
		return end({
			...gate_notScanned(failure),
			creditsReserved: creditBudget,
			...left
		});
	};
	if (!shown.ok) return leave(shown.error.failure);
	if (!isOurs.ok) return leave(isOurs.error);
	state.saveScan({
		projectId,
		scanId
	});
	if (creditBudget === void 0) known.credits += shown.value.scan.progress.reservedCredits ?? 0;
	marked ??= begin(named(createdAt));
	return followProven(job, marked, shown.value, options);
}
async function followProven(job, { scanId, launchedAt, checkRun }, shown, { openCheckRun, mayYield }) {
	const { deadlines, signal, log, state, change } = job;
	const { plan, preflight, key } = change;
	const { projectId } = preflight;
	const [yielding, ended] = [new AbortController(), new AbortController()];
	const request = {
		...followRequest(job),
		scanId
	};
	const polled = AbortSignal.any([signal, yielding.signal]);
	const own = followScan({
		...job,
		signal: polled
	}, request, shown);
	let ranked = false;
	const looking = AbortSignal.any([signal, ended.signal]);
	const twin = checkRun.then((started) => {
		if (!started.ok || !mayYield || looking.aborted) return void 0;
		ranked = true;
		const readRanked = async () => {
			const marks = await readMarks(job, looking);
			return marks.ok ? marks.value.flatMap(({ checkRun, ...mark }) => checkRun ? [{
				...mark,
				rank: checkRun.id
			}] : []) : void 0;
		};
		return yieldToTwin({
			...job,
			signal: looking
		}, {
			projectId,
			scanId,
			launchedAt,
			key,
			rank: started.value.id,
			expected: request.expected
		}, deadlines.cancelling, readRanked);
	});
	const ownEnd = own.then(async ({ scan }) => {
		ended.abort();
		const yielded = ranked ? await twin : void 0;
		return yielded?.own === "ended" || scan?.status === "CANCELLED" || scan?.status === "FAILED" ? yielded : void 0;
	});
	const yielded = await Promise.race([twin.then((found) => found?.own === "ended" ? found : ownEnd), ownEnd]);
	if (yielded !== void 0) {
		const { elder } = yielded;
		yielding.abort();
		state.clearScan();
		log.info(`Another job launched scan \`${elder.scanId}\` first. Using it instead of scan \`${scanId}\`.`);
		return {
			kind: "yielded",
			elder,
			openCheckRun: await findStartedCheckRun(job, {
				scanId,
				launchedAt
			}, checkRun) ?? openCheckRun
		};
	}
	const followed = await own;
	const { scan } = followed;
	const facts = {
		scanId,
		launchedAt,
		scanStatus: scan?.status,
		creditsReserved: scan?.progress.reservedCredits ?? plan.creditBudget
	};
	const result = async () => {
		switch (followed.kind) {
			case "completed": return {
				...facts,
				...await readCompleted(job, scanId, followed)
			};
			case "ended": return {
				...facts,
				...gate_notScanned(followed.failure)
			};
			case "left-running": return {
				...facts,
				...gate_notScanned(followed.failure),
				...await abandonScan({
					...job,
					signal: deadlines.cancelling
				}, projectId, scanId)
			};
		}
	};
	return {
		kind: "ended",
		result: {
			...await result(),
			checkRun: await checkRun
		}
	};
}
function readCompleted(job, scanId, completed) {
	const { inputs, watch, change } = job;
	if (inputs.delivery.comment !== "never" && watch !== void 0) beginLastRead(watch);
	return readResult(job, {
		projectId: change.preflight.projectId,
		scanId
	}, completed, inputs.policy, disclosureOf(change.target));
}
function followRequest({ spent, change }) {
	return {
		projectId: change.preflight.projectId,
		expected: change.diffBase,
		onEnd: (ms) => {
			spent.scanMs += ms;
		}
	};
}
async function beginCheckRun({ github, deadlines, state, log, change, known }, scan, open) {
	const { target, identity } = change;
	const { headSha, pullRequest } = target;
	const { scanId } = scan;
	const named = identity.checkRun({
		...scan,
		creditsPullRequest: pullRequest && known.credits
	});
	const shown = disclosureOf(target) === "labels" ? "The result appears" : "The findings appear";
	const output = {
		title: scanKindOf(target) === "full" ? "Scanning all files of this commit" : "Scanning this change",
		summary: `The scan is running. ${shown} here when it completes.`,
		text: ""
	};
	const signal = deadlines.wrapUp;
	if (named.externalId === identity.checkRun({}).externalId) log.info(`The scan id is too long for a mark in the check run. ${pullRequest ? "Only a comment can hold the mark." : "Later runs cannot reuse this scan."}`);
	state.saveCheckRun({
		headSha,
		scanId,
		...open && { id: open.id }
	});
	const marked = open && await markCheckRun(github.until(signal), open.id, named);
	const kept = marked && !marked.ok && !isRefusal(marked.error) && open ? result_ok(open) : marked;
	const started = kept?.ok ? kept : await createCheckRun(github.until(signal), named, output);
	if (!started.ok) return started;
	state.saveCheckRun({
		headSha,
		scanId,
		id: started.value.id
	});
	return result_ok(started.value);
}
async function findStartedCheckRun({ github, signal, change: { identity } }, scan, begun) {
	const isStarted = (externalId) => identity.isStarted(externalId, scan);
	const started = await begun;
	const found = await findStarted({
		github,
		signal
	}, identity.checkRun(scan), started, isStarted);
	return found.ok ? found.value : void 0;
}
const MOST_RATE_LIMIT_WAITS = 3;
const NO_TRIES = {
	unsent: 0,
	limited: 0
};
async function sendLaunch(api, { projectId, body }, signal) {
	const answer = await api.launch(projectId, body, { signal });
	if (answer.ok) return {
		kind: "launched",
		scan: answer.value
	};
	const { error } = answer;
	const failure = classifyWrite(error);
	return failure === "ambiguous" ? {
		kind: "lost",
		error
	} : {
		kind: "refused",
		error,
		failure
	};
}
async function waitAfterRefusal(step, request, { error, failure }, { unsent, limited }) {
	const { clock, signal, random, log } = step;
	const { creditBudget, token } = request;
	const final = () => ({
		kind: "not-scanned",
		failure: explainApiError(error, {
			creditBudget,
			token
		})
	});
	switch (failure) {
		case "stopped": return final();
		case "not-sent": {
			if (unsent + 1 >= SEND_ATTEMPTS) return final();
			const wait = waitAfterFailure(error, unsent + 1, random);
			log.info(`Could not reach the service. Retrying in ${duration(wait / 1e3)}.`);
			await clock.sleep(wait, signal);
			return again(signal, {
				unsent: unsent + 1,
				limited
			});
		}
		case "rate-limited": {
			if (outlastsRun(error) || limited >= MOST_RATE_LIMIT_WAITS) return final();
			const wait = waitAfterFailure(error, limited + 1, random);
			log.info(`Rate limited. Retrying in ${duration(wait / 1e3)}.`);
			await clock.sleep(wait, signal);
			return again(signal, {
				unsent,
				limited: limited + 1
			});
		}
		case "definite": {
			if (error.code === "diff_empty") return { kind: "empty-diff" };
			if (error.code !== "repository_initializing") return final();
			const fault = await waitUntilReady(step, request, retryAfterOf(error));
			return fault === void 0 ? {
				kind: "again",
				tries: NO_TRIES
			} : {
				kind: "not-scanned",
				failure: fault
			};
		}
	}
}
function again(signal, tries) {
	const cause = stopCause(signal);
	return cause === void 0 ? {
		kind: "again",
		tries
	} : {
		kind: "not-scanned",
		failure: explainStop(cause, "it launched a scan")
	};
}
async function waitUntilReady({ api, clock, signal, random, log }, { projectId, repositoryId }, retryAfterSeconds) {
	const patience = createPatience(clock);
	const advised = advisedWait("poll", retryAfterSeconds);
	const interval = () => pollInterval(advised, random);
	let wait = interval();
	log.info(`The service is analyzing this repository for the first time. Checking again every ${duration(wait / 1e3)}.`);
	for (;;) {
		await clock.sleep(wait, signal);
		const cause = stopCause(signal);
		if (cause !== void 0) return stoppedWaiting(cause);
		const answer = await api.repositories(projectId, { signal });
		if (answer.ok) {
			const found = repositoryById(answer.value, repositoryId);
			if (found.ok) {
				patience.worked();
				const fault = repositoryFault(found.value, repositoryId);
				if (fault !== void 0) return fault;
				if (found.value?.readiness === "ready") return void 0;
			} else if (patience.failed()) return found.error;
			wait = interval();
		} else {
			const { error } = answer;
			if (error.kind === "stopped") return stoppedWaiting(error.by);
			const failure = retry_classify(error);
			const shortest = failure === "rate-limited" ? patience.limited() : void 0;
			if (shortest === void 0 && (failure === "definite" || patience.failed())) return explainApiError(error);
			wait = Math.max(pollInterval(waitAdvisedBy(error) ?? advised, random), shortest ?? 0);
		}
	}
}
function stoppedWaiting(cause) {
	const failure = explainStop(cause, "the scanning service had analyzed this repository for the first time");
	if (cause === "signal") return failure;
	return {
		...failure,
		reason: "initializing",
		nextStep: STILL_INITIALIZING
	};
}
const LOOK_AGAIN_AFTER_MS = 3e4;
async function lookBeforeLaunch(job) {
	const { api, clock, signal, environment, inputs, seal, watch, known, change } = job;
	const asks = known.isOutdated || clock.now() - known.lookedAt >= LOOK_AGAIN_AFTER_MS;
	if (asks) known.list = await api.scans(change.preflight.projectId, { signal });
	if (asks && watch) await readAgain(watch, signal);
	const failure = watch && findChange(watch);
	if (failure !== void 0) return {
		kind: "not-scanned",
		failure
	};
	if (asks) {
		const shown = watch?.newest?.state;
		const ofComments = shown ? marksInComments(shown, inputs.delivery.checkName, seal) : [];
		remember(job, ofComments);
		if (inputs.reuseScan) {
			const marks = await readMarks(job, signal);
			const [newest] = untried(job, [...marks.ok ? marks.value : [], ...ofComments]);
			if (newest !== void 0) return {
				kind: "running",
				scan: newest
			};
			if (!(marks.ok || isMarked(change)) && mustBeListed(marks.error, environment.runAttempt, change.target)) return {
				kind: "not-scanned",
				failure: marksUnlisted(marks.error)
			};
		}
		known.lookedAt = clock.now();
		known.isOutdated = false;
	}
	const { list } = known;
	return list.ok ? {
		kind: "clear",
		before: scansBefore(list.value, [...known.marked, ...known.tried])
	} : {
		kind: "not-scanned",
		failure: listUnread(list.error)
	};
}
function listUnread(error) {
	if (error.kind === "stopped") return explainStop(error.by, "it launched a scan");
	const failure = explainApiError(error);
	return {
		...failure,
		cause: `${failure.cause} Without this list, a new scan could not be recognized, so no scan was launched.`
	};
}
async function launchChange(job) {
	const { api, clock, deadlines, github, log, signal, state, spent, change, known } = job;
	const { target, diffBase, preflight, plan } = change;
	const { projectId, repository, preset, token } = preflight;
	const { body, creditBudget, subject } = plan;
	const request = {
		projectId,
		repositoryId: repository.id,
		body,
		creditBudget,
		token
	};
	for (let tries = NO_TRIES;;) {
		const looked = await lookBeforeLaunch(job);
		const stopped = stopCause(signal);
		if (stopped !== void 0) return ended(gate_notScanned(explainStop(stopped, "it launched a scan")).outcome);
		if (looked.kind === "running") return looked;
		if (looked.kind === "not-scanned") return ended(looked);
		const pending = {
			projectId,
			headSha: target.headSha,
			pullRequest: target.pullRequest?.number,
			before: looked.before,
			subject
		};
		state.saveScan(pending);
		const sent = await sendLaunch(api, request, deadlines.launch);
		if (sent.kind === "launched") {
			const { scanId } = sent.scan;
			state.saveScan({
				projectId,
				scanId,
				launch: pending
			});
			log.info(`Launched scan \`${scanId}\` with preset \`${preset.ref}\`.`);
			return {
				...sent,
				pending
			};
		}
		known.isOutdated = true;
		if (sent.kind === "lost") {
			const { error } = sent;
			const bySignal = error.kind === "stopped" && error.by === "signal";
			const lost = await settleLost(job, pending, await searchLost(job, pending), describeLost(error), bySignal);
			if (!lost.isCancelled || error.kind === "invalid" && error.status === 202 && error.problem === "wrong-shape" || known.hasRelaunched || signal.aborted) return {
				kind: "ended",
				result: lost.result
			};
			known.hasRelaunched = true;
			continue;
		}
		state.clearScan();
		const start = clock.now();
		const after = await waitAfterRefusal(job, request, sent, tries);
		if (sent.error.kind === "refused" && sent.error.code === "repository_initializing") spent.waitedForReadinessMs += clock.now() - start;
		if (after.kind === "empty-diff") return ended(await confirmEmptyDiff(github, diffBase, signal));
		if (after.kind === "not-scanned") return ended(after);
		tries = after.tries;
	}
}
function ended(outcome) {
	return {
		kind: "ended",
		result: { outcome }
	};
}
async function settleLost(job, pending, found, cause, bySignal = false) {
	const { deadlines, log, state, known, change } = job;
	const lost = await cancelFound({
		...job,
		signal: deadlines.cancelling
	}, pending, found);
	if (lost.kind === "found") {
		known.tried.add(lost.scanId);
		known.credits += change.plan.creditBudget ?? 0;
	}
	const isCancelled = lost.kind === "found" && lost.cancellation.kind === "cancelled";
	if (isCancelled) {
		state.clearScan();
		log.info(describeCancellation(lost.scanId, lost.cancellation));
	}
	const failure = launchUnknown(cause, pending, lost, bySignal || deadlines.signalled.aborted);
	const mayStillBeRunning = lost.kind === "no-match" || lost.cancellation.kind === "failed";
	return {
		isCancelled,
		result: {
			...gate_notScanned(failure),
			mayStillBeRunning
		}
	};
}
async function scanChange(gate, change) {
	await cancelForOlderHeads(gate, change, change.earlier.marks);
	const job = createJob(gate, change);
	const result = await scanUntilResult(job);
	const { target, diffBase, preflight, identity, guidance } = change;
	const creditsPullRequest = target.pullRequest && job.known.credits;
	return {
		target: gate.watch?.target ?? target,
		diffBase,
		preflight,
		identity,
		guidance,
		...result,
		creditsPullRequest
	};
}
const MOST_LAUNCHES = 3;
async function scanUntilResult(job) {
	const { inputs } = job;
	let open = takeOpenCheckRun(job);
	let turn = firstCandidates(job);
	for (let launches = 0;;) {
		const earlier = await useEarlierScan(job, turn);
		if (earlier.used !== void 0) return {
			...earlier.used,
			checkRun: open && result_ok(open)
		};
		const refused = launches === 0 ? refuseLaunch(job, earlier.ended) : void 0;
		if (refused !== void 0) return {
			...refused,
			checkRun: open && result_ok(open)
		};
		if (launches === 0 && inputs.reuseScan) logUnproven(job);
		const launch = await launchChange(job);
		if (launch.kind === "ended") return {
			...launch.result,
			checkRun: open && result_ok(open)
		};
		if (launch.kind === "running") {
			turn = candidates([launch.scan]);
			continue;
		}
		launches += 1;
		const own = await followOwn(job, launch, {
			openCheckRun: open,
			mayYield: inputs.reuseScan && launches < MOST_LAUNCHES
		});
		if (own.kind === "ended") return own.result;
		if (own.kind === "unknown") {
			const cause = describeUnknown(launch.scan.scanId);
			const { result } = await settleLost(job, launch.pending, own.found, cause);
			const checkRun = await own.marked ?? (open && result_ok(open));
			return {
				...result,
				isMarkWrong: own.marked !== void 0,
				checkRun
			};
		}
		open = own.openCheckRun;
		turn = candidates([...await readUntried(job), own.elder]);
	}
}
function firstCandidates(job) {
	const { earlier } = job.change;
	return job.inputs.reuseScan ? candidates(untried(job, earlier.marks), ofSameFiles(job.change)) : [];
}
function ofSameFiles({ earlier, key, contentKey }) {
	return earlier.marks.filter((mark) => contentKey !== void 0 && mark.contentKey === contentKey && mark.key !== key);
}
function logUnproven({ log, change, known }) {
	const { list, tried } = known;
	const named = new Set([...tried, ...ofSameFiles(change).map(({ scanId }) => scanId)]);
	const unproven = unprovenScans(list.ok ? list.value.scans : [], change.diffBase, (id) => named.has(id));
	if (unproven.length > 0) log.info(describeUnproven(unproven));
}
async function useEarlierScan(job, first) {
	const { change, known } = job;
	const compareFiles = createFileComparison(job, change.trees);
	const request = {
		...followRequest(job),
		compareFiles
	};
	for (const { scan } of first) known.tried.add(scan.scanId);
	let ended;
	let left = first;
	for (let [next] = left; next !== void 0; [next] = left) {
		known.isOutdated = true;
		const tried = await tryCandidate(job, next, request);
		if (tried.kind === "left-running") return { used: tried.result };
		if (tried.kind === "completed") {
			const { scan, completed } = tried;
			return { used: {
				...scan,
				...await readCompleted(job, next.scan.scanId, completed)
			} };
		}
		ended = newerLaunch(ended, tried.ended);
		left = left.slice(1);
		if (next.kind === "same-files" || left.some(({ kind }) => kind === "exact")) continue;
		const [newer] = await readUntried(job);
		if (newer === void 0) continue;
		known.tried.add(newer.scanId);
		left = [{
			kind: "exact",
			scan: newer
		}, ...left];
	}
	return { ended };
}
function refuseLaunch({ environment, change }, ended) {
	const { target, earlier, unpaid } = change;
	if (target.pullRequest?.brings === "text" && environment.runAttempt === 1 && ended !== void 0) return ended;
	const unlisted = !isMarked(change) || unpaid !== void 0 ? earlier.unlisted : void 0;
	const failure = unlisted === void 0 ? unpaid : marksUnlisted(unlisted);
	return failure && gate_notScanned(failure);
}
function takeOpenCheckRun({ inputs, state, environment, change }) {
	const { target, plan, earlier } = change;
	const left = openCheckRunOf(environment, earlier.marks, inputs.delivery.checkName, (mark) => isKeyOf(mark, plan.keyFields));
	if (left !== void 0) state.saveCheckRun({
		headSha: target.headSha,
		scanId: left.scanId,
		id: left.id
	});
	return left;
}
async function run(step) {
	const gate = openGate(step);
	const plan = await decide(gate);
	const confirmed = await confirmResult(gate, await settleEarlierAttempt(gate, plan.kind === "scan" ? await scanChange(gate, plan.change) : await endWithoutScan(gate, plan)));
	const verdict = judge(confirmed.outcome, gate.policy);
	await deliverVerdict(gate, confirmed, verdict);
	return verdict.exitCode;
}
function openGate(step) {
	const { clock, deadlines, environment, payload, reading, log } = step;
	const { inputs } = reading;
	const { connection, policy, setup, timeoutMinutes } = inputs;
	for (const sentence of reading.warnings) log.warning(sentence);
	const warnings = createWarnings(log);
	const { warn } = warnings;
	const event = readTarget(environment, payload);
	deadlines.startTimeout(timeoutMinutes ?? TIMEOUT_MINUTES[event.ok ? scanKindOf(event.value) : "diff"]);
	const github = connectGitHub(step, connection, environment);
	const signal = deadlines.work;
	const watch = event.ok ? watchPullRequest({
		github,
		clock,
		deadlines,
		warn
	}, event.value, environment.runAttempt === 1) : void 0;
	const firstRead = once(async () => watch === void 0 ? event : readFirst(watch));
	const api = connectService(step, connection, {
		showMessages: async () => {
			if (!event.ok || event.value.repository.isPublic) return false;
			const now = await firstRead();
			return !(now.ok && now.value.repository.isPublic);
		},
		leftMs: deadlines.leftMs,
		onLongList: step.preferLittleMemory
	});
	return {
		...step,
		inputs,
		parameters: readLaunchParameters(setup.launchParameters),
		policy: neverAllowClosed(policy, hasPullRequest(payload)),
		seal: createSeal(connection.apiToken, environment.repositoryId),
		warnings,
		warn,
		spent: {
			waitedForReadinessMs: 0,
			scanMs: 0
		},
		signal,
		api,
		github,
		token: once(() => api.token({ signal })),
		event,
		watch,
		firstRead
	};
}
function once(ask) {
	let answer;
	return () => {
		if (answer === void 0) {
			answer = ask();
			answer.catch(() => {});
		}
		return answer;
	};
}
async function confirmResult({ deadlines, policy, watch }, settled) {
	const outcome = markSignal(settled.outcome, deadlines.signalled);
	const result = {
		...settled,
		outcome
	};
	const reason = outcome.kind === "not-scanned" ? outcome.failure.reason : void 0;
	const mayPass = reason !== "superseded" && judge(outcome, policy).exitCode === 0;
	if (watch === void 0 || !mayPass) return result;
	const failure = await pull_request_confirm(watch);
	if (failure !== void 0) return {
		...result,
		...gate_notScanned(failure),
		target: watch.target
	};
	return (outcome.kind === "unchanged" || reason === "paths") && watch.newest?.state.isOpen === false ? {
		...result,
		...gate_notScanned(superseded_closed(watch.target.pullRequest.number))
	} : result;
}
function markSignal(outcome, { aborted }) {
	if (!aborted || outcome.kind !== "not-scanned") return outcome;
	return {
		...outcome,
		failure: {
			...outcome.failure,
			bySignal: true
		}
	};
}
const STATE_NAMES = {
	scan: "running-scan",
	checkRun: "open-check-run"
};
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
			store.saveState(STATE_NAMES.scan, kept);
		},
		clearScan: () => store.saveState(STATE_NAMES.scan, ""),
		saveCheckRun: (checkRun) => store.saveState(STATE_NAMES.checkRun, JSON.stringify(checkRun)),
		clearCheckRun: () => store.saveState(STATE_NAMES.checkRun, ""),
		saved() {
			const scan = state_parse(store.getState(STATE_NAMES.scan), union([Running, Pending]));
			const checkRun = state_parse(store.getState(STATE_NAMES.checkRun), OpenCheckRun);
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
	if (faults.length > 0) return err({
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
	if (proxyFault !== void 0) return err(proxyFault);
	const environment = readEnvironment(process.env);
	if (!environment.ok) return environment;
	const payload = readPayload(environment.value.eventPath);
	if (!payload.ok) return payload;
	return result_ok({
		environment: environment.value,
		payload: payload.value
	});
}
function preferLittleMemory() {
	process.getBuiltinModule("node:v8").setFlagsFromString("--optimize-for-size");
}
async function main(step) {
	const startedAt = step.clock.now();
	const workspace = process.env["GITHUB_WORKSPACE"] || process.cwd();
	const reading = readInputs(workspace);
	const surroundings = await readSurroundings(reading.inputs.connection.baseUrl);
	if (!surroundings.ok) return failBeforeStart(surroundings.error, step, reading, workspace, startedAt);
	return run({
		...step,
		...surroundings.value,
		reading,
		workspace,
		startedAt,
		state: createRunState(),
		writeOutputs,
		writeSummary: writeJobSummary,
		preferLittleMemory
	});
}
function failUnexpectedly(what, log) {
	log.error(`Not scanned: unexpected error (${what}). Please open an issue in the Scangate repository.`);
	try {
		writeOutputs(outputsOf(reportOfStop({
			reason: "service-error",
			cause: what,
			nextStep: ""
		})));
	} catch {}
}
async function failBeforeStart(failure, { clock, log }, { inputs, faults, missing }, workspace, startedAt) {
	const { policy, delivery } = inputs;
	const { checkName, reportFile, sarifFile } = delivery;
	const leftOver = faults.length === 0 && missing.length === 0 ? await removeEarlierSarif(workspace, sarifFile) : void 0;
	if (leftOver !== void 0) log.warning(sentencesOf(leftOver));
	log.error(`Not scanned: ${sentencesOf(failure)}`);
	await attempt("job summary", log.warning, () => writeJobSummary(renderStop(failure)));
	const timeSpent = {
		waitedForReadinessMs: 0,
		scanMs: 0,
		totalMs: Math.round(clock.now() - startedAt)
	};
	const report = reportOfStop(failure, {
		policy,
		checkName,
		date: clock.date(),
		timeSpent
	});
	writeOutputs(outputsOf(report, { reportFile: await attempt("JSON report", log.warning, () => deliverFile(workspace, reportFile, report, renderJsonReport)) }));
	return 1;
}
runStepProcess(main, failUnexpectedly);
export {};
