#include "simulator/api/AgentPrograms.h"

using namespace Qt::StringLiterals;
using Process = GuestInside::Process;

namespace
{
QString hostName(const Guest &guest)
{
    return guest.config.value(u"name"_s, u"guest%1"_s.arg(guest.vmid));
}

Process said(const QString &out, int exitCode = 0)
{
    Process process;
    process.out = out;
    process.exitCode = exitCode;
    return process;
}

Process complained(const QString &err, int exitCode)
{
    Process process;
    process.err = err;
    process.exitCode = exitCode;
    return process;
}

Process cat(const Guest &guest, const QStringList &files, const QString &input)
{
    if (files.isEmpty())
        return said(input);
    Process process;
    for (const auto &file : files) {
        if (guest.inside.files.contains(file)) {
            process.out += guest.inside.files.value(file);
            continue;
        }
        process.err += u"cat: %1: No such file or directory\n"_s.arg(file);
        process.exitCode = 1;
    }
    return process;
}

Process uname(const Guest &guest, const QStringList &options)
{
    const auto all = u"Linux %1 6.12.117+deb13-cloud-amd64 #1 SMP PREEMPT_DYNAMIC Debian 6.12.117-1 (2026-11-12) "
                     "x86_64 GNU/Linux\n"_s.arg(hostName(guest));
    return said(options.contains(u"-a"_s) ? all : u"Linux\n"_s);
}

/// Words of one command of a shell; quotes hold words together.
QStringList words(const QString &line)
{
    QStringList list;
    QString word;
    QChar quote;
    bool any = false;
    for (const auto c : line) {
        if (!quote.isNull()) {
            if (c == quote)
                quote = QChar();
            else
                word += c;
        } else if (c == u'\'' || c == u'"') {
            quote = c;
            any = true;
        } else if (c.isSpace()) {
            if (any || !word.isEmpty())
                list.append(word);
            word.clear();
            any = false;
        } else {
            word += c;
        }
    }
    if (any || !word.isEmpty())
        list.append(word);
    return list;
}

std::optional<Process> program(const Guest &guest, const QStringList &command, const QString &input);

/// Commands one after the other; ">&2" sends what one says to where errors go, "exit" ends it.
Process shell(const Guest &guest, const QString &script, const QString &input)
{
    Process all;
    for (const auto &line : script.split(u';')) {
        auto parts = words(line);
        const bool toErrors = parts.removeAll(u">&2"_s) > 0;
        if (parts.isEmpty())
            continue;
        if (parts[0] == "exit"_L1) {
            all.exitCode = parts.value(1, u"0"_s).toInt() & 255;
            break;
        }
        const auto part =
            program(guest, parts, input).value_or(complained(u"sh: 1: %1: not found\n"_s.arg(parts[0]), 127));
        (toErrors ? all.err : all.out) += part.out;
        all.err += part.err;
        all.exitCode = part.exitCode;
        all.endsAtMs += part.endsAtMs;
    }
    return all;
}

/// `endsAtMs` is how long it takes.
std::optional<Process> program(const Guest &guest, const QStringList &command, const QString &input)
{
    const auto name = command.value(0).section(u'/', -1);
    const auto rest = command.mid(1);
    if (name == "echo"_L1)
        return said(rest.join(u' ') + u'\n');
    if (name == "true"_L1 || name == "false"_L1)
        return said({}, name == "true"_L1 ? 0 : 1);
    if (name == "cat"_L1)
        return cat(guest, rest, input);
    if (name == "uname"_L1)
        return uname(guest, rest);
    if (name == "hostname"_L1)
        return said(hostName(guest) + u'\n');
    if (name == "whoami"_L1)
        return said(u"root\n"_s);
    if (name == "sleep"_L1) {
        Process sleeping;
        sleeping.endsAtMs = qint64(rest.value(0).toDouble() * 1000);
        return sleeping;
    }
    if ((name == "sh"_L1 || name == "bash"_L1) && rest.value(0) == "-c"_L1)
        return shell(guest, rest.value(1), input);
    return std::nullopt;
}
} // namespace

std::optional<Process> AgentPrograms::run(const Guest &guest, const QStringList &command, const QString &input,
                                          qint64 nowMs)
{
    // A name with a blank in it is no program, whatever its first word is.
    if (command.value(0).contains(u' '))
        return std::nullopt;
    auto process = program(guest, command, input);
    if (process)
        process->endsAtMs += nowMs;
    return process;
}
