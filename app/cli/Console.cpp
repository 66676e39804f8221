#include "cli/Console.h"
#include "base/DisplayText.h"
#include <cstdio>
#include <unistd.h>

static void write(std::FILE *stream, const QString &text)
{
    const auto shown = ::isatty(::fileno(stream)) ? DisplayText::visible(text, true) : text;
    const auto bytes = shown.toUtf8() + '\n';
    std::fwrite(bytes.constData(), 1, size_t(bytes.size()), stream);
    std::fflush(stream);
}

void Console::print(const QString &text)
{
    write(stdout, text);
}

void Console::tell(const QString &text)
{
    write(stderr, QStringLiteral("labhelm-cli: ") + text);
}
