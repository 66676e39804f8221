#pragma once
#include "CommandLine.h"
#include <memory>

class MainWindow;

/// Builds every service once, hands them down as references, and takes them apart in the right order.
class Application
{
public:
    explicit Application(CommandLine line);
    ~Application();
    MainWindow &window() { return *m_window; }

private:
    CommandLine m_line;
    std::unique_ptr<MainWindow> m_window;
};
