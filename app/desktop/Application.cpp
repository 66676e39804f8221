#include "Application.h"
#include "shell/MainWindow.h"

Application::Application(CommandLine line)
    : m_line(std::move(line)), m_window(std::make_unique<MainWindow>(m_line.isDemo))
{
}

Application::~Application() = default;
